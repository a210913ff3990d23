import { setTimeout as sleep } from 'node:timers/promises';
import { getOrInsertComputed, settlesWithin } from '@detector-cluster/election/internal';
import type { SubscribeCommand } from '@detector-cluster/worker-protocol';
import { freshModelFile, type WantedFiles } from '../sources/fresh-model-file.js';
import type { ModelFile } from '../sources/model-url-provider.js';
import {
  type DesiredCameraSubscription,
  type DesiredEntry,
  type WorkerAction,
  type UnsentAction,
  inChunks,
} from '@detector-cluster/placement/internal';
import type { SessionSender } from '../operators/session-sender.js';
import type { ActualStateStore } from './actual-state-store.js';
import { runInSlices } from '../shared/run-in-slices.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { ClusterLogger } from '../operators/worker-logger.js';

/** How long a pass waits for model URLs. A later pass sends what is late. Milliseconds. */
const URL_TIMEOUT = 250;

/** How long a worker gets to carry out commands before it is asked for its state. Milliseconds. */
const ASK_AFTER = 250;

/** How many workers are asked before a pause of {@link ASK_INTERVAL}. */
const ASKED_AT_ONCE = 10;
/** Milliseconds. */
const ASK_INTERVAL = 10;

export interface CommandSenderOptions {
  readonly pool: WorkerPool;
  readonly actual: ActualStateStore;
  readonly sessions: SessionSender;
  readonly models: WantedFiles;
  readonly logger: ClusterLogger;
}

export interface PreparedCommands {
  /** In the order of the actions. */
  readonly ready: readonly (() => void)[];
  /** Subscribes that cannot be sent. */
  readonly failed: readonly UnsentAction[];
}

/** Turns the decisions of a pass into commands to workers. */
export class CommandSender {
  /** Subscriptions without a model URL. The log names each once, until it has one. */
  private readonly withoutModel = new Set<string>();
  /** Workers that cannot get a list. The log names each once, until it can. */
  private readonly incomplete = new Set<string>();

  constructor(private readonly options: CommandSenderOptions) {}

  /**
   * Model URLs are made now, not when the subscription was: a signature must be fresh when it is sent.
   * @param desired the state that the actions were decided from; it may have changed since
   */
  async prepare(
    actions: readonly WorkerAction[],
    desired: ReadonlyMap<string, DesiredEntry>,
  ): Promise<PreparedCommands> {
    const subscribes = new Map<WorkerAction, { readonly entry: DesiredEntry; readonly file: ModelFile }>();
    const asked: Promise<void>[] = [];
    const ask = (action: WorkerAction) => {
      if (action.type === 'unsubscribe') return;
      // No more than this here: very many answers may come in one turn of the event loop.
      const entry = desired.get(action.subscriptionIdentifier)!;
      const made = this.fileOf(entry).then((file) => {
        if (file !== null && !over) subscribes.set(action, { entry, file });
      });
      asked.push(made);
    };
    let over = false;
    await runInSlices(inChunks(actions, ask));
    const lists = await runInSlices(this.listsToComplete(actions, () => true));
    const running = [...lists].flatMap(([workerUrl, ids]) =>
      ids.map((id) => ({ workerUrl, entry: desired.get(id) })),
    );
    for (const { workerUrl, entry } of running)
      if (entry !== undefined)
        asked.push(this.fileOf(entry).then((file) => this.learn(workerUrl, entry, file)));
    // One model without a URL holds up its own subscriptions only.
    await settlesWithin(Promise.all(asked), URL_TIMEOUT);
    over = true;
    // The worker has already loaded the model of a running stream. The last known URL is enough, without its signature.
    for (const { workerUrl, entry } of running)
      if (entry !== undefined) this.learn(workerUrl, entry, this.lastFileOf(entry));
    const isComplete = (action: WorkerAction) => action.type === 'unsubscribe' || subscribes.has(action);
    const incomplete = await runInSlices(this.listsToComplete(actions, isComplete));
    this.nameIncomplete(lists, incomplete);
    const ready: (() => void)[] = [];
    const failed: UnsentAction[] = [];
    const make = (action: WorkerAction) => {
      const { subscriptionIdentifier, type, workerUrl } = action;
      const isIncomplete = incomplete.has(workerUrl);
      const subscribe = subscribes.get(action);
      if (type === 'unsubscribe') {
        if (!isIncomplete) ready.push(this.unsubscribe(workerUrl, subscriptionIdentifier));
      } else if (subscribe === undefined) failed.push({ ...action, reason: 'model-url-unavailable' });
      else if (isIncomplete) failed.push({ ...action, reason: 'worker-list-incomplete' });
      else ready.push(this.subscribe(workerUrl, subscribe.entry, subscribe.file));
    };
    await runInSlices(inChunks(actions, make));
    return { ready, failed };
  }

  /** Sends them in their order. */
  async send(ready: PreparedCommands['ready']): Promise<void> {
    await runInSlices(inChunks(ready, (send) => send()));
    this.options.pool.flush();
  }

  /** Asks for a report, which confirms the commands, instead of waiting for the next one. */
  askSoon(actions: readonly WorkerAction[]): void {
    if (actions.length === 0) return;
    const workers = [...new Set(actions.map(({ workerUrl }) => workerUrl))];
    void this.ask(workers);
  }

  private async ask(workers: readonly string[]): Promise<void> {
    const { pool } = this.options;
    await sleep(ASK_AFTER, undefined, { ref: false });
    await this.requestStates(workers);
    await sleep(ASK_AFTER, undefined, { ref: false });
    // Changed streams need a second report.
    await this.requestStates(workers.filter((worker) => pool.hasUnconfirmed(worker)));
  }

  /** Spread over time, because very many reports that arrive together would block the process. */
  private async requestStates(workers: readonly string[]): Promise<void> {
    for (const [i, worker] of workers.entries()) {
      if (i > 0 && i % ASKED_AT_ONCE === 0) await sleep(ASK_INTERVAL, undefined, { ref: false });
      this.options.pool.send(worker, { type: 'requestState' });
    }
  }

  /**
   * Workers of protocol version 2 among those of the actions → subscriptions that their lists need the parameters of. Yields where it
   * may be interrupted.
   */
  private *listsToComplete(
    actions: readonly WorkerAction[],
    isKnown: (action: WorkerAction) => boolean,
  ): Generator<void, Map<string, string[]>> {
    const unknown = new Map<string, Set<string>>();
    const known = (action: WorkerAction) => {
      const { subscriptionIdentifier, workerUrl } = action;
      const ids = getOrInsertComputed(unknown, workerUrl, (url) => new Set(this.options.pool.unknownOf(url)));
      if (ids.size > 0 && isKnown(action)) ids.delete(subscriptionIdentifier);
    };
    yield* inChunks(actions, known);
    return new Map([...unknown].flatMap(([url, ids]) => (ids.size > 0 ? [[url, [...ids]]] : [])));
  }

  private learn(workerUrl: string, { hash, spec, redacted }: DesiredEntry, file: ModelFile | null): void {
    if (file === null || redacted === true) return;
    this.options.pool.learn(workerUrl, subscribeCommand(spec, file, hash));
  }

  private nameIncomplete(
    wanted: ReadonlyMap<string, readonly string[]>,
    incomplete: ReadonlyMap<string, readonly string[]>,
  ): void {
    for (const workerUrl of wanted.keys()) if (!incomplete.has(workerUrl)) this.incomplete.delete(workerUrl);
    for (const [workerUrl, ids] of incomplete) {
      if (!this.incomplete.has(workerUrl))
        this.options.logger.warn(
          `worker ${workerUrl} gets no list of subscriptions: the parameters of ${ids.length} that it runs are not known, e.g. ${ids[0]}`,
        );
      this.incomplete.add(workerUrl);
    }
  }

  private unsubscribe(workerUrl: string, subscriptionIdentifier: string): () => void {
    return () =>
      this.options.pool.send(workerUrl, { type: 'unsubscribe', payload: { subscriptionIdentifier } });
  }

  private subscribe(workerUrl: string, { hash, spec }: DesiredEntry, file: ModelFile): () => void {
    const { pool, actual, sessions } = this.options;
    actual.sending(spec.subscriptionIdentifier, file.url);
    return () => {
      pool.send(workerUrl, subscribeCommand(spec, file, hash));
      sessions.subscribed(workerUrl, spec.subscriptionIdentifier);
    };
  }

  private lastFileOf({ spec }: DesiredEntry): ModelFile | null {
    const url = this.options.actual.lastModelUrl(spec.subscriptionIdentifier);
    return url === null ? null : { url };
  }

  /** Null if there is none, or none of the version that is desired. */
  private async fileOf({ spec }: DesiredEntry): Promise<ModelFile | null> {
    const { models, logger } = this.options;
    const { subscriptionIdentifier } = spec;
    try {
      const file = await freshModelFile(spec, models, Date.now());
      this.withoutModel.delete(subscriptionIdentifier);
      return file;
    } catch (error) {
      if (!this.withoutModel.has(subscriptionIdentifier))
        logger.error(`no model URL for ${subscriptionIdentifier}: ${(error as Error).message}`);
      this.withoutModel.add(subscriptionIdentifier);
      return null;
    }
  }
}

/**
 * The command that makes a worker open this stream; optional fields are left out, not null.
 * @param fingerprint hash of the subscription, which workers may repeat in their reports
 */
function subscribeCommand(
  subscription: DesiredCameraSubscription,
  { sha256, size, url }: ModelFile,
  fingerprint: string,
): SubscribeCommand {
  const { createdAt: _createdAt, modelUrl: _modelUrl, ...stream } = subscription;
  const file = {
    modelUrl: url,
    ...(size !== undefined && { modelSize: size }),
    ...(sha256 !== undefined && { modelSha256: sha256 }),
  };
  return { type: 'subscribe', payload: { ...stream, ...file, fingerprint } };
}

import type { ModelUrlProvider } from '../desired/stream/model-url-provider.js';
import { freshModelUrl } from '../desired/stream/fresh-model-url.js';
import type { DesiredEntry, WorkerAction } from '../reconcile/observation.js';
import type { SessionSender } from '../sessions/session-sender.js';
import type { ActualStateKeeper } from '../state/actual-state-keeper.js';
import { unhurried, withPauses } from '../util/breather.js';
import { delay } from '../util/delay.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { ClusterLogger } from './cluster-logger.js';
import { subscribeCommand } from './subscribe-command.js';

/** How long a pass waits for model URLs; what comes later is sent by a later pass. Milliseconds. */
const URL_PATIENCE = 250;

/** How long a worker gets to carry out commands before it is asked for its state. Milliseconds. */
const ASK_AFTER = 250;

export interface CommandSenderOptions {
  readonly pool: WorkerPool;
  readonly actual: ActualStateKeeper;
  readonly sessions: SessionSender;
  readonly modelUrls: ModelUrlProvider;
  readonly logger: ClusterLogger;
}

export interface PreparedCommands {
  /** In the order of the actions. */
  readonly ready: readonly (() => void)[];
  /** Pairs that cannot be sent, because there is no model URL for them. */
  readonly failed: readonly WorkerAction[];
}

/** Turns what a pass decided into commands to workers. */
export class CommandSender {
  /** Subscriptions without a model URL, named once for as long as that lasts. */
  private readonly withoutModel = new Set<string>();

  constructor(private readonly options: CommandSenderOptions) {}

  /**
   * Model URLs are made now, not when the subscription was: a signature must be fresh when it is sent.
   * @param desired what the actions were decided upon; it may have changed since
   */
  async prepare(
    actions: readonly WorkerAction[],
    desired: ReadonlyMap<string, DesiredEntry>,
  ): Promise<PreparedCommands> {
    const commands = new Map<WorkerAction, () => void>();
    const asked: Promise<void>[] = [];
    const prepare = (action: WorkerAction) => {
      const { type, workerUrl, subscriptionIdentifier } = action;
      if (type === 'unsubscribe') {
        const command = { type, payload: { subscriptionIdentifier } } as const;
        commands.set(action, () => this.options.pool.send(workerUrl, command));
        return;
      }
      const entry = desired.get(subscriptionIdentifier)!;
      const made = this.modelUrlOf(entry).then((url) => {
        if (url !== null && !over) commands.set(action, this.subscribe(workerUrl, entry, url));
      });
      asked.push(made);
    };
    let over = false;
    await unhurried(withPauses(actions, prepare));
    // One model without a URL holds up its own subscriptions only.
    const patience = new AbortController();
    await Promise.race([Promise.all(asked), delay(URL_PATIENCE, patience.signal)]);
    patience.abort();
    over = true;
    const isReady = (action: WorkerAction) => commands.has(action);
    return {
      ready: actions.filter(isReady).map((action) => commands.get(action)!),
      failed: actions.filter((action) => !isReady(action)),
    };
  }

  /** Sends them in their order. */
  async send(ready: PreparedCommands['ready']): Promise<void> {
    await unhurried(withPauses(ready, (send) => send()));
  }

  /** What was sent is confirmed by a report: ask for one instead of waiting for the next. */
  askSoon(actions: readonly WorkerAction[]): void {
    if (actions.length === 0) return;
    const { pool } = this.options;
    const ask = (workers: readonly string[]) => {
      for (const worker of workers) pool.send(worker, { type: 'requestState' });
    };
    const workers = [...new Set(actions.map(({ workerUrl }) => workerUrl))];
    setTimeout(() => {
      ask(workers);
      // Changed streams need a second report.
      setTimeout(() => ask(workers.filter((worker) => pool.hasUnproven(worker))), ASK_AFTER).unref();
    }, ASK_AFTER).unref();
  }

  private subscribe(workerUrl: string, { hash, spec }: DesiredEntry, modelUrl: string): () => void {
    const { pool, actual, sessions } = this.options;
    actual.sending(spec.subscriptionIdentifier, modelUrl);
    return () => {
      pool.send(workerUrl, subscribeCommand(spec, modelUrl, hash));
      sessions.subscribed(workerUrl, spec.subscriptionIdentifier);
    };
  }

  /** Null if there is none. */
  private async modelUrlOf({ spec }: DesiredEntry): Promise<string | null> {
    const { modelUrls, logger } = this.options;
    const { subscriptionIdentifier } = spec;
    try {
      const modelUrl = await freshModelUrl(spec, modelUrls, Date.now());
      this.withoutModel.delete(subscriptionIdentifier);
      return modelUrl;
    } catch (error) {
      if (!this.withoutModel.has(subscriptionIdentifier))
        logger.error(`no model URL for ${subscriptionIdentifier}: ${(error as Error).message}`);
      this.withoutModel.add(subscriptionIdentifier);
      return null;
    }
  }
}

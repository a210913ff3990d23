import type { ModelUrlProvider } from '../desired/stream/model-url-provider.js';
import { freshModelUrl } from '../desired/stream/fresh-model-url.js';
import type { DesiredEntry, WorkerAction } from '../reconcile/observation.js';
import type { SessionSender } from '../sessions/session-sender.js';
import type { ActualStateKeeper } from '../state/actual-state-keeper.js';
import { unhurried, withPauses } from '../util/breather.js';
import type { WorkerPool } from '../workers/worker-pool.js';
import type { ClusterLogger } from './cluster-logger.js';
import { subscribeCommand } from './subscribe-command.js';

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
    const preparing: Promise<(() => void) | null>[] = [];
    await unhurried(withPauses(actions, (action) => void preparing.push(this.commandFor(action, desired))));
    const commands = await Promise.all(preparing);
    return {
      ready: commands.filter((command) => command !== null),
      failed: actions.filter((_, i) => commands[i] === null),
    };
  }

  /** Sends them in their order. */
  async send(ready: PreparedCommands['ready']): Promise<void> {
    await unhurried(withPauses(ready, (send) => send()));
  }

  /** What was sent is confirmed by a report: ask for one instead of waiting for the next. */
  askSoon(actions: readonly WorkerAction[]): void {
    if (actions.length === 0) return;
    const workers = new Set(actions.map(({ workerUrl }) => workerUrl));
    setTimeout(() => {
      for (const worker of workers) this.options.pool.send(worker, { type: 'requestState' });
    }, ASK_AFTER).unref();
  }

  private async commandFor(
    { type, workerUrl, subscriptionIdentifier }: WorkerAction,
    desired: ReadonlyMap<string, DesiredEntry>,
  ): Promise<(() => void) | null> {
    const { pool, actual, sessions, modelUrls, logger } = this.options;
    if (type === 'unsubscribe')
      return () => pool.send(workerUrl, { type, payload: { subscriptionIdentifier } });
    const { spec } = desired.get(subscriptionIdentifier)!;
    try {
      const modelUrl = await freshModelUrl(spec, modelUrls, Date.now());
      this.withoutModel.delete(subscriptionIdentifier);
      actual.sending(subscriptionIdentifier, modelUrl);
      return () => {
        pool.send(workerUrl, subscribeCommand(spec, modelUrl));
        sessions.subscribed(workerUrl, subscriptionIdentifier);
      };
    } catch (error) {
      if (!this.withoutModel.has(subscriptionIdentifier))
        logger.error(`no model URL for ${subscriptionIdentifier}: ${(error as Error).message}`);
      this.withoutModel.add(subscriptionIdentifier);
      return null;
    }
  }
}

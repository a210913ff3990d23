import { pause, toError } from '@detector-cluster/election/internal';
import type { Clock } from '@detector-cluster/election';

/** The first and the longest pause before a retry. Milliseconds. */
const FIRST_RETRY = 100;
const LAST_RETRY = 2_000;

interface ResubscriberOptions {
  subscribe(): Promise<void>;
  unsubscribe(): Promise<void>;
  started(): void;
  failed(error: Error): void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Keeps a subscription alive: when it breaks, ends it and subscribes again until that succeeds. */
export class Resubscriber {
  private readonly ending = new AbortController();
  private repairing: Promise<void> | undefined;
  private live = false;
  /** The error that broke the subscription before it was known to have started. */
  private earlyError: Error | undefined;

  constructor(private readonly options: ResubscriberOptions) {}

  /** Subscribes; rejects when the first attempt fails. */
  async start(): Promise<void> {
    this.earlyError = undefined;
    await this.options.subscribe();
    if (this.earlyError) throw this.earlyError;
    if (this.ending.signal.aborted) return;
    this.live = true;
    this.options.started();
  }

  /** The subscription broke. */
  broken(error: Error): void {
    this.earlyError = error;
    if (!this.live || this.ending.signal.aborted) return;
    this.live = false;
    this.options.failed(error);
    this.repair();
  }

  /** Subscribes in the background, for as long as it takes. */
  repair(): void {
    this.repairing ??= this.tryAgain().finally(() => {
      this.repairing = undefined;
      // The subscription may have broken again just before this ended.
      if (!this.live && !this.ending.signal.aborted) this.repair();
    });
  }

  /** Ends the subscription. Rejects when that fails. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.live = false;
    await this.repairing;
    await this.options.unsubscribe();
  }

  private async tryAgain(): Promise<void> {
    const { clock, random, failed } = this.options;
    const { signal } = this.ending;
    for (let wait = FIRST_RETRY; !signal.aborted; wait = Math.min(2 * wait, LAST_RETRY)) {
      await this.options.unsubscribe().catch(() => undefined);
      try {
        await this.start();
        return;
      } catch (error) {
        if (signal.aborted) return;
        failed(toError(error));
      }
      await pause(wait * (0.5 + random()), clock, signal);
    }
  }
}

import {
  systemClock,
  type Candidate,
  type Clock,
  type ElectionBackend,
  type ElectionState,
} from '@detector-cluster/election';
import { pause, toError } from '@detector-cluster/election/util';
import { SubscriptionKeeper } from '../base/subscription-keeper.js';
import type { FeedStore } from '../stores/feed-store.js';
import { LeaseCampaign } from './lease-campaign.js';
import { callTimeoutOf, resolveLeaseTiming, type LeaseTiming } from './lease-timing.js';

export interface LeaseElectionOptions extends Partial<LeaseTiming> {
  /** Receives what an operator should know. Default: `process.emitWarning`. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

/** How long to wait before another attempt to connect. Milliseconds. */
const FIRST_RETRY = 50;
const LAST_RETRY = 1_000;

/**
 * Elects over a lease in a store that has a feed: by compare-and-set, with a term, and by the store's clock. The feed only tells
 * when to look; without it elections are slower, not unsafe.
 */
export abstract class LeaseElectionBackend implements ElectionBackend {
  readonly name: string;
  private readonly timing: LeaseTiming;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly onWarning: (message: string) => void;
  private readonly closing = new AbortController();
  private active = false;
  private current: LeaseCampaign | undefined;
  private keeper: SubscriptionKeeper | undefined;
  private opened = false;
  /** The highest term of all campaigns. */
  private term = 0;
  /** Settles when the last campaign has ended. */
  private ended: Promise<void> = Promise.resolve();

  /** @throws RangeError when the durations do not fit each other. */
  protected constructor(
    private readonly store: FeedStore,
    options: LeaseElectionOptions,
  ) {
    this.name = store.name;
    this.timing = resolveLeaseTiming(options);
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
    this.onWarning = options.onWarning ?? ((message) => process.emitWarning(message));
  }

  get lockTtl(): number {
    return this.timing.lockTtl;
  }

  async *campaign(candidate: Candidate, consumer: AbortSignal): AsyncGenerator<ElectionState> {
    if (this.active) throw new Error('a campaign of this backend is already under way');
    this.active = true;
    let ended!: () => void;
    this.ended = new Promise((resolve) => (ended = resolve));
    const signal = AbortSignal.any([consumer, this.closing.signal]);
    try {
      yield* this.open(signal);
      if (signal.aborted) return;
      const campaign = new LeaseCampaign({
        name: this.name,
        lease: this.store.lease,
        timing: this.timing,
        candidateId: candidate.id,
        signal,
        consumer,
        floor: this.term,
        clock: this.clock,
        random: this.random,
      });
      this.current = campaign;
      try {
        yield* campaign.states();
      } finally {
        this.term = campaign.term;
        this.current = undefined;
      }
    } finally {
      this.active = false;
      ended();
    }
  }

  async resign(): Promise<void> {
    await this.current?.resign();
  }

  /**
   * Has leadership handed to a candidate: who leads makes way for it, and nobody else is elected before `lockTtl` has passed.
   * Rejects when the store was not reached.
   */
  async nominate(candidateId: string): Promise<void> {
    await this.store.lease.nominate(candidateId, this.timing.lockTtl);
  }

  async close(): Promise<void> {
    this.closing.abort();
    // A consumer that reads on steps down first; one that does not is not waited for.
    const patience = new AbortController();
    await Promise.race([this.ended, pause(callTimeoutOf(this.timing.lockTtl), this.clock, patience.signal)]);
    patience.abort();
    await this.current?.resign();
    await this.keeper?.stop().catch(() => undefined);
    await this.store.close();
  }

  /** Connects, for as long as it takes, and begins to listen. */
  private async *open(signal: AbortSignal): AsyncGenerator<ElectionState> {
    for (let wait = FIRST_RETRY; !this.opened && !signal.aborted; wait = Math.min(2 * wait, LAST_RETRY)) {
      try {
        await this.store.open();
        await this.store.create();
        this.opened = true;
      } catch (error) {
        yield { role: 'error', error: toError(error) };
        await pause(wait * (0.5 + this.random()), this.clock, signal);
      }
    }
    if (signal.aborted || this.keeper) return;
    this.keeper = this.listen();
    this.keeper.repair();
  }

  private listen(): SubscriptionKeeper {
    let warned = '';
    const keeper = new SubscriptionKeeper({
      subscribe: () =>
        this.store.subscribe({
          heard: () => undefined,
          changed: () => undefined,
          leaseChanged: () => this.current?.changed(),
          failed: (error) => keeper.broken(error),
        }),
      unsubscribe: () => this.store.unsubscribe(),
      started: () => {
        warned = '';
        this.current?.wake();
      },
      failed: ({ message }) => {
        if (message === warned) return;
        warned = message;
        this.onWarning(
          `the feed of ${this.name} tells nothing until it is back, so that elections take longer: ${message}`,
        );
      },
      clock: this.clock,
      random: this.random,
    });
    return keeper;
  }
}

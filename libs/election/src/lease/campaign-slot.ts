import type { ElectionState } from '../contract/election-backend.js';
import { type Clock, systemClock } from '../util/clock.js';
import { pause } from '../util/pause.js';
import { newIncarnation } from './lease-owner.js';

/**
 * Claims that were given up, and that the store may still hold. A release that fails is repeated before the next claim; until then the
 * lease expires by itself.
 */
class PendingReleases {
  private readonly claims = new Set<string>();

  add(claim: string): void {
    this.claims.add(claim);
  }

  /** Sends the releases to the store. Rejects with the first failure; the remaining releases stay pending. */
  async settle(release: (claim: string) => Promise<unknown>): Promise<void> {
    for (const claim of this.claims) {
      await release(claim);
      this.claims.delete(claim);
    }
  }
}

/** What outlives a campaign: it belongs to the process. */
export class CampaignMemory {
  /** The highest term ever seen. */
  floor = 0;
  readonly releases = new PendingReleases();

  /** @param incarnation Names this life of the process in the owners of its claims. */
  constructor(readonly incarnation: string = newIncarnation()) {}

  /** A term was seen. */
  saw(term: number): void {
    this.floor = Math.max(this.floor, term);
  }
}

interface Campaign {
  states(): AsyncGenerator<ElectionState>;
}

/** The one campaign that a backend has at a time. */
export class CampaignSlot<Held extends Campaign> {
  private readonly closing = new AbortController();
  private campaign: Held | undefined;
  /** Settles when the last campaign has ended. */
  private ended: Promise<void> = Promise.resolve();

  constructor(private readonly clock: Clock = systemClock) {}

  get current(): Held | undefined {
    return this.campaign;
  }

  /**
   * @param consumer Aborted by the reader of the states.
   * @param create Gets the signal that ends the campaign: `consumer`, or {@link close}.
   */
  async *run(consumer: AbortSignal, create: (signal: AbortSignal) => Held): AsyncGenerator<ElectionState> {
    if (this.campaign) throw new Error('a campaign of this backend is already under way');
    const campaign = create(AbortSignal.any([consumer, this.closing.signal]));
    this.campaign = campaign;
    let ended!: () => void;
    this.ended = new Promise((resolve) => (ended = resolve));
    try {
      yield* campaign.states();
    } finally {
      this.campaign = undefined;
      ended();
    }
  }

  /**
   * Ends the campaign. A consumer that still reads steps down first, then the campaign releases its lease in the store. If the
   * consumer does not read within `timeout` ms, it may still act as leader, so the lease expires and is not released.
   */
  async close(timeout: number): Promise<void> {
    this.closing.abort();
    const waiting = new AbortController();
    await Promise.race([this.ended, pause(timeout, this.clock, waiting.signal)]);
    waiting.abort();
  }
}

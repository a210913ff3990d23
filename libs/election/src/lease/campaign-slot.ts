import type { ElectionState } from '../contract/election-backend.js';
import { type Clock, systemClock } from '../util/clock.js';
import { pause } from '../util/pause.js';
import { newIncarnation } from './lease-owner.js';
import { SeenLease } from './seen-lease.js';

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
  readonly releases = new PendingReleases();

  /**
   * @param incarnation Names this life of the process in the owners of its claims.
   * @param seen The lease of the highest term that the process has seen.
   */
  constructor(
    readonly incarnation: string = newIncarnation(),
    private readonly seen: SeenLease = new SeenLease(),
  ) {}

  /** The highest term ever seen. */
  get floor(): number {
    return this.seen.floor;
  }

  /** How long the holder of that term may act without a confirmation; 0 when that is unknown. Milliseconds. */
  get validity(): number {
    return this.seen.validity;
  }

  /** A term was seen, and how long its holder may act without a confirmation. */
  saw(term: number, validity = 0): void {
    this.seen.saw(term, validity);
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

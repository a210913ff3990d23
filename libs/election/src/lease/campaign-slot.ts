import type { ElectionState } from '../contract/election-backend.js';
import { type Clock, systemClock } from '../util/clock.js';
import { settlesWithin } from '../util/settles-within.js';

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
    await settlesWithin(this.ended, timeout, this.clock);
  }
}

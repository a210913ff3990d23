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

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

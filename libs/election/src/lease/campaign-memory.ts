import { newIncarnation } from './lease-owner.js';
import { PendingReleases } from './pending-releases.js';

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

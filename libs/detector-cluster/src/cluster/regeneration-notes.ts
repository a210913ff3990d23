import type { Regeneration } from '../state/desired-state-store.js';
import type { ClusterLogger } from './cluster-logger.js';

const MOST_SHOWN = 10;

/** Says what could not be taken into the desired state, once for as long as it stays the same. */
export class RegenerationNotes {
  private skipped = '';
  private unreadable = '';
  private hints = '';

  constructor(private readonly logger: ClusterLogger) {}

  note(regeneration: Regeneration): void {
    const skipped = regeneration.skipped
      .map(({ displayId, reason }) => `${displayId} (${reason})`)
      .join(', ');
    if (skipped !== this.skipped && skipped !== '')
      this.logger.warn(`displays without a subscription: ${skipped}`);
    this.skipped = skipped;
    const unreadable = regeneration.unreadable.join(', ');
    if (unreadable !== this.unreadable && unreadable !== '')
      this.logger.error(`explicit subscriptions that cannot be read: ${unreadable}`);
    this.unreadable = unreadable;
    const shown = regeneration.hintProblems.slice(0, MOST_SHOWN).join(', ');
    if (shown !== this.hints && shown !== '')
      this.logger.warn(
        `${regeneration.hintProblems.length} hints for the placement cannot be used, the defaults are: ${shown}`,
      );
    this.hints = shown;
  }
}

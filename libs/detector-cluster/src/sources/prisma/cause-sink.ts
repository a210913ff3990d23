import { type ChangedRows, mergeRows } from '../changed-rows.js';
import type { Publish, SubscriptionChange } from './publisher.js';

/**
 * What the statements of one transaction may have changed, until its outcome is known. A statement may report after that,
 * when its transaction was used without being waited for: then it shares the outcome.
 */
export class CauseSink {
  private readonly causes = new Set<string>();
  private rows: ChangedRows | null = {};
  private outcome: Publish | null = null;

  add(change: SubscriptionChange): void {
    if (this.outcome) {
      this.outcome(change);
      return;
    }
    for (const cause of change.causes) this.causes.add(cause);
    this.rows = mergeRows(this.rows, change.rows);
  }

  /** The transaction has committed, or may have: publishes the noted changes, and those that still arrive. */
  commit(publish: Publish): void {
    this.outcome = publish;
    if (this.causes.size > 0) publish({ causes: [...this.causes], rows: this.rows });
  }

  /** The transaction was rolled back. */
  drop(): void {
    this.outcome = () => undefined;
  }
}

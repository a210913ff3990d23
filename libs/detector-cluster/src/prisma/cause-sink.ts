import { mergeRows, type ChangedRows } from '../desired/changed-rows.js';

/** What a committed write or transaction may have changed. */
export interface SubscriptionChange {
  /** e.g. `camera.updated`, `display.created`, `database.changed` (raw SQL); without repetition. */
  readonly causes: readonly string[];
  /** The rows that were written; null if not all of them are known. */
  readonly rows: ChangedRows | null;
}

type Publish = (change: SubscriptionChange) => void;

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

  /** The transaction has committed, or may have: passes on what there is, and what still comes. */
  commit(publish: Publish): void {
    this.outcome = publish;
    if (this.causes.size > 0) publish({ causes: [...this.causes], rows: this.rows });
  }

  /** The transaction was rolled back. */
  drop(): void {
    this.outcome = () => undefined;
  }
}

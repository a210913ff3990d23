import type { SkippedDisplay } from '@detector-cluster/placement/internal';

export const NO_OBJECT: SkippedDisplay = {
  displayId: '',
  reason: 'malformed-row',
  detail: 'the entry is no object',
};
/** Rows of the source that yield no subscription, by display. */
export class SkippedRows {
  readonly rows = new Map<string, SkippedDisplay[]>();

  readonly add = (row: SkippedDisplay): void => {
    const others = this.rows.get(row.displayId);
    if (others === undefined) this.rows.set(row.displayId, [row]);
    else others.push(row);
  };
}

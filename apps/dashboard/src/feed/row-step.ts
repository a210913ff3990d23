import type { RowChanges, Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/** The changes that turned one version of the rows into the next. */
export interface RowStep {
  readonly before: Rows<SubscriptionRow>;
  readonly after: Rows<SubscriptionRow>;
  readonly changes: RowChanges;
}

import type { RowChanges, Rows, SubscriptionRow } from '@detector-cluster/dashboard-protocol';

/** How the rows came about from those before. */
export interface RowStep {
  readonly before: Rows<SubscriptionRow>;
  readonly after: Rows<SubscriptionRow>;
  readonly changes: RowChanges;
}

import {
  type SubscriptionFilter,
  STATUSES,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionSort,
} from './subscription-entry.js';

export interface SubscriptionQuery extends SubscriptionFilter {
  readonly sort: SubscriptionSort;
}

/** Those with a problem first. */
const DEFAULT_SORT: SubscriptionSort = { column: 'status', descending: false };

/** The filter and the order, as the address of the page has them. */
export function queryOf({
  text = '',
  status = '',
  worker = '',
  sort = '',
}: Readonly<Record<string, string>>): SubscriptionQuery {
  const statuses = status.split(',');
  const [name, direction] = sort.split(',');
  const column = SUBSCRIPTION_COLUMNS.find((one) => one === name);
  return {
    text,
    statuses: STATUSES.filter((one) => statuses.includes(one)),
    worker,
    sort: column === undefined ? DEFAULT_SORT : { column, descending: direction === 'down' },
  };
}

/** The order after a click on a column's header, as the address has it. */
export function nextSort(present: SubscriptionSort, column: string): string {
  return present.column === column && !present.descending ? `${column},down` : column;
}

import type { SubscriptionRow } from '@detector-cluster/dashboard-protocol';
import {
  NO_FILTER,
  type SubscriptionFilter,
  STATUSES,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionSort,
} from './subscription-entry.js';

/** Filter, order and selection of the page, as stored in its address. */
export interface SubscriptionQuery {
  readonly filter: SubscriptionFilter;
  readonly sort: SubscriptionSort;
  readonly view: 'subscriptions' | 'skipped';
  /** The subscription whose explanation is open; empty: none. */
  readonly explained: string;
}

type Parameters = Readonly<Record<string, string>>;

/** Those with a problem first. */
const DEFAULT_SORT: SubscriptionSort = { column: 'status', descending: false };

/** Means "without a worker" in addresses and for the service, because empty parameters are omitted. */
export const NO_WORKER = '-';

export function readQuery(parameters: Parameters): SubscriptionQuery {
  const statuses = (parameters.status ?? '').split(',');
  const [name = '', direction] = (parameters.sort ?? '').split(',');
  const column = SUBSCRIPTION_COLUMNS.find((one) => one === name);
  const worker = parameters.worker || null;
  return {
    filter: {
      text: parameters.text ?? NO_FILTER.text,
      statuses: new Set(STATUSES.filter((status) => statuses.includes(status))),
      workerUrl: worker === NO_WORKER ? '' : worker,
    },
    sort: column === undefined ? DEFAULT_SORT : { column, descending: direction === 'down' },
    view: parameters.view === 'skipped' ? 'skipped' : 'subscriptions',
    explained: parameters.explain ?? '',
  };
}

export function writeQuery({ filter, sort, view, explained }: SubscriptionQuery): Parameters {
  const usual = sort.column === DEFAULT_SORT.column && !sort.descending;
  return {
    view: view === 'skipped' ? view : '',
    text: filter.text,
    status: Array.from(filter.statuses).join(','),
    worker: filter.workerUrl === '' ? NO_WORKER : (filter.workerUrl ?? ''),
    sort: usual ? '' : `${sort.column}${sort.descending ? ',down' : ''}`,
    explain: explained,
  };
}

/** Adds the status, or removes it if it is present. */
export function toggleStatus(
  statuses: ReadonlySet<SubscriptionRow['status']>,
  status: SubscriptionRow['status'],
): ReadonlySet<SubscriptionRow['status']> {
  return new Set(STATUSES.filter((one) => statuses.has(one) !== (one === status)));
}

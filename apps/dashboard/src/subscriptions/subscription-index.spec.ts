import {
  applyChanges,
  diffViews,
  EMPTY_VIEW,
  type DashboardView,
  type Rows,
  type SubscriptionRow,
} from '@detector-cluster/dashboard-protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  searchOf,
  NO_WORKER,
  type SubscriptionFilter,
  compareBy,
  STATUSES,
  type SubscriptionSort,
  subscriptionEntry,
} from './subscription-entry.js';
import { SubscriptionIndex } from './subscription-index.js';

const NOW = Date.UTC(2026, 0, 1);
const EMPTY: DashboardView = { ...EMPTY_VIEW, subscriptions: {} };
const ALL: SubscriptionFilter = { text: '', statuses: [], worker: '' };
const BY_DISPLAY: SubscriptionSort = { column: 'display', descending: false };

function row(displayId: string, more: Partial<SubscriptionRow> = {}): SubscriptionRow {
  return {
    subscriptionIdentifier: `${displayId};cam-${displayId}`,
    workerUrl: 'ws://w1',
    model: null,
    version: null,
    status: 'active',
    reason: 'streaming',
    detail: '',
    since: new Date(NOW - 3_600_000).toISOString(),
    ...more,
  };
}

const rowsOf = (...rows: SubscriptionRow[]): Rows<SubscriptionRow> =>
  Object.fromEntries(rows.map((one) => [one.subscriptionIdentifier, one]));

function shown(index: SubscriptionIndex, filter: Partial<SubscriptionFilter> = {}): string[] {
  return index.list({ ...ALL, ...filter }).entries.map(({ displayId }) => displayId);
}

function indexOf(...rows: SubscriptionRow[]): SubscriptionIndex {
  const index = new SubscriptionIndex(BY_DISPLAY);
  index.update(rowsOf(...rows));
  return index;
}

describe('SubscriptionIndex', () => {
  it('sorts numbers in texts by value', () => {
    const index = indexOf(row('hall 10'), row('Hall 9'), row('hall 1'));
    expect(shown(index)).toEqual(['hall 1', 'Hall 9', 'hall 10']);
    index.sortBy({ column: 'display', descending: true });
    expect(shown(index)).toEqual(['hall 10', 'Hall 9', 'hall 1']);
  });

  it('sorts by urgency, and equal rows by display', () => {
    const index = indexOf(
      row('c', { status: 'failed' }),
      row('b'),
      row('a'),
      row('d', { status: 'recovering' }),
    );
    index.sortBy({ column: 'status', descending: false });
    expect(shown(index)).toEqual(['c', 'd', 'a', 'b']);
    index.sortBy({ column: 'status', descending: true });
    expect(shown(index)).toEqual(['a', 'b', 'd', 'c']);
  });

  it('finds words in display, camera, worker and reason, also in the text of the reason', () => {
    const index = indexOf(
      row('gate'),
      row('hall', { workerUrl: 'ws://gate-worker' }),
      row('yard', { status: 'recovering', reason: 'camera-offline' }),
    );
    expect(shown(index, { text: 'GATE' })).toEqual(['gate', 'hall']);
    expect(shown(index, { text: 'gate cam-hall' })).toEqual(['hall']);
    expect(shown(index, { text: 'no picture' })).toEqual(['yard']);
    expect(shown(index, { text: 'camera-offline' })).toEqual(['yard']);
    expect(shown(index, { text: '  ' })).toHaveLength(3);
  });

  it('counts the rows that each status would show', () => {
    const index = indexOf(
      row('a'),
      row('b', { status: 'failed' }),
      row('c', { status: 'failed', workerUrl: '' }),
    );
    const list = index.list({ ...ALL, statuses: ['failed'], worker: 'ws://w1' });
    expect(list.entries.map(({ displayId }) => displayId)).toEqual(['b']);
    expect(list.statuses).toEqual({ active: 1, failed: 1, pending: 0, recovering: 0 });
    expect(list.total).toBe(3);
    expect(shown(index, { worker: NO_WORKER })).toEqual(['c']);
  });

  it('reads and moves only rows that have changed', () => {
    const rows = rowsOf(row('a'), row('b'), row('c'));
    const index = new SubscriptionIndex(BY_DISPLAY);
    index.update(rows);
    const kept = index.get('b;cam-b');
    index.update({ ...rows, ...rowsOf(row('a', { status: 'failed' }), row('bb')) });
    expect(shown(index)).toEqual(['a', 'b', 'bb', 'c']);
    expect(index.get('b;cam-b')).toBe(kept);
    expect(index.get('a;cam-a')?.row.status).toBe('failed');
  });

  it('equals a new index after any patches', () => {
    const name = fc.constantFrom('a', 'b', 'B', 'a2', 'a10', '__proto__', 'constructor', '');
    const some = fc.record({
      subscriptionIdentifier: fc.tuple(name, name).map((parts) => parts.join(';')),
      workerUrl: fc.constantFrom('', 'ws://w1', 'ws://w2'),
      model: fc.constant(null),
      version: fc.constant(null),
      status: fc.constantFrom(...STATUSES),
      detail: fc.constant(''),
      reason: fc.constantFrom('streaming', 'refused', 'unheard-of'),
      since: fc.constantFrom('', new Date(NOW).toISOString(), new Date(NOW - 1e6).toISOString()),
    });
    const column = fc.constantFrom('display', 'camera', 'worker', 'model', 'status', 'reason', 'since');
    const sort = fc.record({ column, descending: fc.boolean() }) as fc.Arbitrary<SubscriptionSort>;
    const patch = fc.record({
      set: fc.array(some, { maxLength: 5 }),
      gone: fc.array(name),
      sort,
    });
    const filter = fc.record({
      text: fc.constantFrom('', 'a', 'w1 2'),
      statuses: fc.subarray([...STATUSES]),
      worker: fc.constantFrom('', NO_WORKER, 'ws://w1'),
    });
    fc.assert(
      fc.property(fc.array(patch, { maxLength: 8 }), sort, filter, (patches, sort, filter) => {
        const index = new SubscriptionIndex(sort);
        let rows: Rows<SubscriptionRow> = {};
        let last = sort;
        for (const { set, gone, sort } of patches) {
          const before = { ...EMPTY, subscriptions: rows };
          const leaving = gone.map((one) => `${one};${one}`);
          const after = applyChanges(before, { subscriptions: { set: rowsOf(...set), gone: leaving } });
          // As the service sends them.
          const changes = diffViews(before, after)?.subscriptions ?? {};
          rows = applyChanges(before, { subscriptions: changes }).subscriptions!;
          index.update(rows);
          index.sortBy((last = sort));
        }
        const { statuses } = filter;
        const passes = searchOf(filter);
        const expected = Object.values(rows)
          .map(subscriptionEntry)
          .filter((entry) => passes(entry) && (statuses.length === 0 || statuses.includes(entry.row.status)))
          .sort(compareBy(last));
        expect(index.list(filter).entries).toEqual(expected);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRoute, routeHref } from '../shell/route.js';
import { NO_FILTER, STATUSES, SUBSCRIPTION_COLUMNS } from './subscription-entry.js';
import { readQuery, toggleStatus, writeQuery, type SubscriptionQuery } from './subscription-query.js';

describe('the address of the page', () => {
  it('holds everything that the page shows', () => {
    const query: fc.Arbitrary<SubscriptionQuery> = fc.record({
      filter: fc.record({
        text: fc.string(),
        statuses: fc.subarray([...STATUSES]).map((list) => new Set(list)),
        workerUrl: fc.oneof(fc.constantFrom(null, ''), fc.webUrl()),
      }),
      sort: fc.record({ column: fc.constantFrom(...SUBSCRIPTION_COLUMNS), descending: fc.boolean() }),
      view: fc.constantFrom('subscriptions', 'skipped'),
      explained: fc.string(),
    });
    fc.assert(
      fc.property(query, (one) => {
        const { parameters } = parseRoute(routeHref('subscriptions', writeQuery(one)));
        expect(readQuery(parameters)).toEqual(one);
      }),
    );
  });

  it('omits defaults, and tolerates invalid values', () => {
    expect(routeHref('subscriptions', writeQuery(readQuery({})))).toBe('#/subscriptions');
    const odd = { status: 'constructor,failed', sort: 'toString,down', view: 'x' };
    expect(readQuery(odd)).toEqual({
      ...readQuery({}),
      filter: { ...NO_FILTER, statuses: new Set(['failed']) },
    });
  });
});

describe('toggleStatus', () => {
  it('adds and removes a status, always in the same order', () => {
    const both = toggleStatus(toggleStatus(new Set(), 'active'), 'failed');
    expect(Array.from(both)).toEqual(['failed', 'active']);
    expect(Array.from(toggleStatus(both, 'failed'))).toEqual(['active']);
  });
});

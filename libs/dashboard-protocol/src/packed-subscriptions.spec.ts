import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SubscriptionRow } from './dashboard-view.js';
import { packSubscriptions, unpackSubscriptions } from './packed-subscriptions.js';

const text = fc.constantFrom('', 'a', 'b', '__proto__', 'constructor');
const row: fc.Arbitrary<SubscriptionRow> = fc.record({
  subscriptionIdentifier: fc.oneof(text, fc.string({ maxLength: 3 })),
  workerUrl: text,
  model: fc.option(text),
  version: fc.option(text),
  status: fc.constantFrom('active', 'pending', 'failed', 'recovering'),
  reason: text,
  detail: text,
  since: text,
});

function rowsOf(all: readonly SubscriptionRow[]) {
  const rows = Object.create(null) as Record<string, SubscriptionRow>;
  for (const one of all) rows[one.subscriptionIdentifier] = one;
  return rows;
}

describe('packSubscriptions', () => {
  it('keeps all rows and their order, also over the wire', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), (all) => {
        const rows = rowsOf(all);
        const sent = JSON.stringify(packSubscriptions(rows));
        const received = unpackSubscriptions(JSON.parse(sent) as never);
        expect(Object.entries(received)).toEqual(Object.entries(rows));
        expect(Object.getPrototypeOf(received)).toBeNull();
      }),
    );
  });

  it('is at most a third as long as the rows', () => {
    const rows = rowsOf(
      Array.from({ length: 1_000 }, (_, index) => ({
        subscriptionIdentifier: `display-${index};camera-${index}`,
        workerUrl: `ws://worker-${index % 10}.example.com:8000`,
        model: 'plates',
        version: 'v1',
        status: 'active',
        reason: 'streaming',
        detail: '',
        since: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
      })),
    );
    const packed = JSON.stringify(packSubscriptions(rows)).length;
    expect(packed).toBeLessThan(JSON.stringify(rows).length / 3);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DashboardView, EMPTY_VIEW } from './dashboard-view.js';
import { applyChanges, COLLECTIONS, diffViews } from './view-diff.js';

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString'),
  fc.string({ maxLength: 2 }),
);
const value = fc.oneof(
  fc.integer({ min: 0, max: 2 }),
  fc.constant(null),
  fc.boolean(),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
);
/** Fields may be omitted. */
const row = fc.record({ one: value, two: value }, { requiredKeys: [] });
const rows = fc.array(fc.tuple(key, row), { maxLength: 6 }).map((entries) =>
  entries.reduce<Record<string, unknown>>(
    (all, [name, one]) => {
      all[name] = one;
      return all;
    },
    Object.create(null) as Record<string, unknown>,
  ),
);
const view = fc
  .tuple(...COLLECTIONS.map(() => rows))
  .map((all) => Object.fromEntries(COLLECTIONS.map((name, i) => [name, all[i]])) as unknown as DashboardView);

/** As received: objects without prototypes, so that names of `Object.prototype` are ordinary keys. */
const plain = (any: unknown): unknown => JSON.parse(JSON.stringify(any));

describe('diffViews', () => {
  it('returns changes that applyChanges turns into the new view, also over the wire', () => {
    fc.assert(
      fc.property(view, view, (before, after) => {
        const changes = diffViews(before, after);
        const sent = JSON.stringify(changes ?? {});
        const result = applyChanges(before, JSON.parse(sent) as never);
        expect(plain(result)).toEqual(plain(after));
      }),
    );
  });

  it('finds nothing between equal views', () => {
    fc.assert(
      fc.property(view, (one) => {
        expect(diffViews(one, structuredClone(one))).toBeNull();
      }),
    );
  });

  it('skips subscriptions that one of the views does not know', () => {
    const unknown = EMPTY_VIEW;
    const known = { ...EMPTY_VIEW, subscriptions: { a: { n: 1 } } } as never;
    expect(diffViews(unknown, known)).toBeNull();
    expect(diffViews(known, unknown)).toBeNull();
    expect(applyChanges(unknown, { subscriptions: { gone: ['a'] } })).toEqual(unknown);
  });

  it('names only the rows and fields that differ', () => {
    const empty = { ...EMPTY_VIEW, subscriptions: {} };
    const one = { n: 1, list: ['x'] };
    const before = { ...empty, workers: { a: one, b: one, c: one } } as never;
    const after = { ...empty, workers: { a: { ...one }, b: { ...one, n: 2 }, d: one } } as never;
    expect(plain(diffViews(before, after))).toEqual({
      workers: { set: { d: one }, changed: { b: { n: 2 } }, gone: ['c'] },
    });
  });

  it('omits unchanged collections', () => {
    const empty = { ...EMPTY_VIEW, subscriptions: {} };
    const next = applyChanges(empty, { skipped: { set: { d: { displayId: 'd' } } } });
    expect(next.workers).toBe(empty.workers);
    expect(next.skipped).not.toBe(empty.skipped);
  });
});

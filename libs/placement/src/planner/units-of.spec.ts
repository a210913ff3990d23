import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../model/in-chunks.js';
import { plan } from './plan.js';
import { workers } from './test-support/build.js';
import { type UnitSubscription, unitsOfSteps } from './units-of.js';

const unitsOf = (subscriptions: Iterable<UnitSubscription>) => runToEnd(unitsOfSteps(subscriptions));

const subscription = (subscriptionIdentifier: string, modelId = 1) => ({
  cameraId: subscriptionIdentifier.split(';')[1]!,
  spec: { subscriptionIdentifier, modelId },
});

describe('unitsOf', () => {
  it('groups by camera', () => {
    const subscriptions = [subscription('b;1', 9), subscription('x;2'), subscription('a;1', 3)];
    expect(unitsOf(subscriptions)).toEqual([
      { unitId: '1', subscriptions: ['a;1', 'b;1'], cost: 2, models: [3, 9] },
      { unitId: '2', subscriptions: ['x;2'], cost: 1, models: [1] },
    ]);
  });

  it('combines the requirements of all subscriptions of a camera', () => {
    const units = unitsOf([
      subscription('c;1'),
      { ...subscription('b;1'), hints: { priority: -1, preferred: [{ gpu: 'l4' }], exclusive: true } },
      {
        ...subscription('a;1'),
        hints: { cost: 1.5, priority: 2, selector: { gpu: 'a100' }, preferred: [{ zone: 'south' }] },
      },
      { ...subscription('d;1'), hints: { selector: { zone: 'north' } } },
    ]);
    expect(units).toEqual([
      {
        unitId: '1',
        subscriptions: ['a;1', 'b;1', 'c;1', 'd;1'],
        cost: 4.5,
        models: [1],
        priority: 2,
        selector: { gpu: 'a100', zone: 'north' },
        preferred: [{ zone: 'south' }],
        exclusive: true,
      },
    ]);
  });

  it('finds no worker for a camera whose subscriptions contradict each other', () => {
    const [unit] = unitsOf([
      { ...subscription('a;1'), hints: { selector: { zone: 'north' } } },
      { ...subscription('b;1'), hints: { selector: { zone: 'south' } } },
    ]);
    const { unplaced } = plan({
      units: [unit!],
      workers: workers(2).map((worker) => ({ ...worker, labels: { zone: 'north' } })),
      placements: new Map(),
    });
    expect(unplaced).toEqual([{ unitId: '1', reasons: { selector: 2 } }]);
  });

  it('keeps the subscriptions of a camera on one worker, and loses none', () => {
    const identifiers = fc.uniqueArray(
      fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })).map(([d, c]) => `d${d};c${c}`),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(identifiers, fc.integer({ min: 1, max: 5 }), (ids, count) => {
        const units = unitsOf(ids.map((id) => subscription(id)));
        const { placements } = plan({ units, workers: workers(count), placements: new Map() });
        const places = units.flatMap(({ unitId, subscriptions }) =>
          subscriptions.map((id) => [id, placements.get(unitId)] as const),
        );
        expect(places.map(([id]) => id).sort()).toEqual(ids.toSorted());
        for (const [id, url] of places) {
          const camera = id.split(';')[1];
          const together = places.filter(([other]) => other.split(';')[1] === camera);
          expect(url).toBeDefined();
          expect(new Set(together.map(([, at]) => at))).toEqual(new Set([url]));
        }
      }),
      { numRuns: 300 },
    );
  });
});

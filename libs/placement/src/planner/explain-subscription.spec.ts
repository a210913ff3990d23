import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainSubscription, plan } from './plan.js';
import { unit, worker } from './test-support/build.js';
import { worldArb } from './test-support/world.js';

describe('explainSubscription', () => {
  it('reports the score of each worker, and each reason against it', () => {
    const explanation = explainSubscription(
      {
        units: [unit('1', { subscriptions: ['a;1', 'b;1'], cost: 2, models: [7] }), unit('big', { cost: 4 })],
        workers: [
          worker('free', { capacity: 10 }),
          worker('loaded', { capacity: 10, models: [7] }),
          worker('failed', { capacity: 10 }),
          worker('full', { capacity: 5, labels: {} }),
          worker('closed', { cordoned: true, memory: 95, state: 'Suspect', capacity: 1 }),
        ],
        placements: new Map([['big', 'full']]),
        penalties: [
          { unitId: '1', workerUrl: 'failed' },
          { unitId: '1', workerUrl: 'free', soft: true },
        ],
      },
      'b;1',
    );
    expect(explanation).toMatchObject({
      subscriptionIdentifier: 'b;1',
      unitId: '1',
      subscriptions: ['a;1', 'b;1'],
      workerUrl: null,
      plannedUrl: 'loaded',
      actions: [{ type: 'place', unitId: '1', to: 'loaded' }],
      held: null,
      unplaced: null,
    });
    const { workers } = explanation!;
    expect(workers.map(({ url, rejections }) => [url, rejections])).toEqual([
      ['loaded', []],
      ['free', []],
      ['failed', ['penalty']],
      ['full', ['capacity']],
      ['closed', ['not-ready', 'cordoned', 'memory', 'too-large']],
    ]);
    expect(workers[0]!.score).toBeCloseTo(0.2 - 0.05);
    expect(workers[1]!.score).toBeCloseTo(0.2 + 0.1);
    expect(workers[0]!.components.allocation).toBeCloseTo(0.2);
  });

  it('shows a held move, and a move under way', () => {
    const input = {
      units: [unit('1'), unit('2')],
      workers: [worker('old', { drainSince: 0 }), worker('new', { cordoned: true }), worker('w')],
      placements: new Map([
        ['1', 'old'],
        ['2', 'w'],
      ]),
      moves: [{ unitId: '2', from: 'w', to: 'new' }],
      frozen: true,
      rebalance: { now: 1_000, state: null },
    };
    expect(explainSubscription(input, 'd;1')).toMatchObject({
      workerUrl: 'old',
      plannedUrl: 'old',
      held: { from: 'old', to: null, reason: 'drain', heldBy: 'frozen' },
    });
    expect(explainSubscription(input, 'd;2')).toMatchObject({
      workerUrl: 'w',
      plannedUrl: 'new',
      moving: { from: 'w', to: 'new' },
      actions: [],
    });
  });

  it('returns null for a subscription that is not desired', () => {
    expect(explainSubscription({ units: [unit('1')], workers: [], placements: new Map() }, 'd;2')).toBeNull();
  });

  it('agrees with the plan in any state of the world', () => {
    fc.assert(
      fc.property(worldArb, (world) => {
        const { placements, unplaced } = plan(world);
        for (const { unitId, subscriptions } of world.units.slice(0, 3)) {
          const explanation = explainSubscription(world, subscriptions[0]!)!;
          expect(explanation.plannedUrl).toBe(placements.get(unitId) ?? null);
          expect(explanation.unplaced).toEqual(unplaced.find((u) => u.unitId === unitId)?.reasons ?? null);
          expect(explanation.workers.length).toBe(world.workers.length);
          for (const { score, rejections } of explanation.workers) {
            expect(Number.isFinite(score)).toBe(true);
            if (explanation.plannedUrl === null) expect(rejections).not.toEqual([]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

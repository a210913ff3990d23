import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanUnit, PlanWorker } from './plan.types.js';
import { roundBudget } from './move-limits.js';
import { random, unit, units, worker, workers } from './test-support/build.js';
import { SimulatedCluster } from './test-support/simulated-cluster.js';

function settled(someUnits: readonly PlanUnit[], someWorkers: readonly PlanWorker[]): SimulatedCluster {
  const cluster = new SimulatedCluster(someUnits, someWorkers);
  cluster.settle(1_000);
  cluster.begun.length = 0;
  return cluster;
}

const costsArb = fc.array(fc.constantFrom(1, 1, 1, 2, 3, 0.5), { minLength: 1, maxLength: 40 });

/** The reported metrics of a worker, in percent, by the share of its capacity that is in use. */
const metricsArb = fc
  .record({
    cpu: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    idle: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ cpu, idle }) => (used: number) => ({
    cpu: cpu === null ? null : idle + 100 * cpu * used,
    memory: idle,
    idle: { cpu: idle, memory: idle },
  }));

describe('joining', () => {
  it.each([
    [30, 3, 8],
    [100, 4, 20],
    [1_000, 10, 91],
  ])('%i units on %i workers: a joiner takes at most %i', (count, before, bound) => {
    const cluster = settled(units(count), workers(before, { capacity: count }));
    cluster.workers.set('joiner', worker('joiner', { capacity: count }));
    const rounds = cluster.settle(100);
    expect(rounds).toBeLessThanOrEqual(Math.ceil(count / roundBudget(count)) + 2);
    expect(cluster.begun.length).toBeLessThanOrEqual(bound);
    // The new worker also has to get a fair share.
    expect(cluster.occupied('joiner')).toBeGreaterThanOrEqual(0.7 * (count / (before + 1)));
  });

  it('takes at most ceil(units / workers), whatever the units cost', () => {
    fc.assert(
      fc.property(costsArb, fc.integer({ min: 1, max: 5 }), metricsArb, (costs, count, metrics) => {
        const cluster = new SimulatedCluster(
          costs.map((cost, i) => unit(`cam-${i}`, { cost })),
          workers(count),
        );
        cluster.report = (worker) => ({ ...worker, ...metrics(cluster.occupied(worker.url) / 100) });
        cluster.settle(200);
        cluster.begun.length = 0;
        cluster.workers.set('joiner', worker('joiner'));
        cluster.settle(200);
        expect(cluster.begun.length).toBeLessThanOrEqual(Math.ceil(costs.length / (count + 1)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes no more within five minutes, whatever workers report', () => {
    const metric = fc.option(fc.integer({ min: 0, max: 80 }));
    const reports = fc.array(fc.record({ cpu: metric, memory: metric }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(costsArb, reports, (costs, [joiner, ...members]) => {
        const cluster = settled(
          costs.map((cost, i) => unit(`cam-${i}`, { cost })),
          members.map((more, i) => worker(`w${i}`, more)),
        );
        cluster.workers.set('joiner', worker('joiner', joiner));
        const end = cluster.now + 300_000;
        while (cluster.now < end) {
          cluster.pass();
          cluster.finishAll();
          cluster.now += 10_000;
        }
        const share = Math.ceil(costs.length / (members.length + 1));
        const received = [...cluster.placements.values()].filter((url) => url === 'joiner').length;
        expect(received).toBeLessThanOrEqual(share);
      }),
      { numRuns: 200 },
    );
  });
});

describe('leaving', () => {
  it('moves only the units of the leaving worker', () => {
    fc.assert(
      fc.property(
        costsArb,
        fc.integer({ min: 2, max: 6 }),
        fc.nat(),
        fc.constantFrom('removed', 'offline', 'drained'),
        (costs, count, pick, how) => {
          const cluster = settled(
            costs.map((cost, i) => unit(`cam-${i}`, { cost })),
            workers(count),
          );
          const leaver = `w${pick % count}`;
          const own = [...cluster.placements].filter(([, url]) => url === leaver).map(([id]) => id);
          if (how === 'removed') cluster.workers.delete(leaver);
          else if (how === 'offline') cluster.workers.set(leaver, worker(leaver, { state: 'Offline' }));
          else cluster.workers.set(leaver, worker(leaver, { drainSince: cluster.now }));
          if (how !== 'drained') cluster.crash(leaver);
          for (let pass = 0; pass <= costs.length; pass++) {
            cluster.pass();
            cluster.finishAll();
          }
          expect(cluster.begun.map(({ unitId }) => unitId).sort()).toEqual(own.sort());
          expect(cluster.occupied(leaver)).toBe(0);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('rebalancing', () => {
  it('leaves a balanced cluster alone', () => {
    const cluster = settled(units(200), workers(8));
    for (let round = 0; round < 20; round++, cluster.now += 30_000)
      expect(cluster.pass()).toMatchObject({ actions: [], held: [], balance: { rebalancing: false } });
  });

  it('ends within ceil(units / budget) + 2 rounds from any start, and does not resume', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(1, 1, 1, 2, 3, 0.5), fc.nat({ max: 5 })), { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        metricsArb,
        (begun, count, metrics) => {
          const cluster = new SimulatedCluster(
            begun.map(([cost], i) => unit(`cam-${i}`, { cost })),
            workers(count, { capacity: 150 }),
          );
          for (const [i, [, at]] of begun.entries()) cluster.start(`cam-${i}`, `w${at % count}`);
          cluster.report = (worker) => ({ ...worker, ...metrics(cluster.occupied(worker.url) / 150) });
          const bound = Math.ceil(begun.length / Math.max(1, roundBudget(begun.length))) + 2;
          expect(cluster.settle(500)).toBeLessThanOrEqual(bound);
          const { actions, held, balance } = cluster.pass();
          expect([actions, held, balance.rebalancing]).toEqual([[], [], false]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('continues past the threshold at which it starts, until the load is balanced', () => {
    const cluster = new SimulatedCluster(units(100), workers(2));
    for (let i = 0; i < 100; i++) cluster.start(`cam-${i}`, i < 75 ? 'w0' : 'w1');
    cluster.settle(100);
    // It starts above 0.5 of the mean and stops at 0.2.
    expect(cluster.occupied('w0') - cluster.occupied('w1')).toBeLessThanOrEqual(10);
  });

  it('starts below the threshold when it is asked to', () => {
    const cluster = new SimulatedCluster(units(100), workers(2, { capacity: 1_000 }));
    for (let i = 0; i < 100; i++) cluster.start(`cam-${i}`, i < 60 ? 'w0' : 'w1');
    cluster.settle(50);
    expect(cluster.begun).toEqual([]);
    cluster.requested = true;
    cluster.settle(50);
    expect(cluster.occupied('w0')).toBeLessThanOrEqual(55);
  });

  it('makes at most 5 moves in an hour of noise, 1,000 units on 10 workers', () => {
    for (const seed of [1, 2, 3]) {
      const next = random(seed);
      const noisy = (value: number) => value * (0.9 + 0.2 * next());
      const cluster = settled(
        units(1_000).map((some) => ({ ...some, cost: 0.5 + next() })),
        workers(10, { capacity: 200 }),
      );
      cluster.report = (worker) => {
        const used = cluster.occupied(worker.url) / 200;
        return { ...worker, cpu: noisy(20 + 60 * used), memory: noisy(40 + 30 * used) };
      };
      const costs = new Map([...cluster.units].map(([id, { cost }]) => [id, cost]));
      for (const end = cluster.now + 3_600_000; cluster.now < end; cluster.now += 10_000) {
        if (cluster.now % 30_000 === 0)
          for (const [id, some] of cluster.units)
            cluster.units.set(id, { ...some, cost: noisy(costs.get(id)!) });
        cluster.pass();
        cluster.finishAll();
      }
      expect(cluster.begun.length).toBeLessThanOrEqual(5);
    }
  });

  it('always respects limits and cooldowns', () => {
    const cluster = new SimulatedCluster(units(400), workers(5));
    for (let i = 0; i < 400; i++)
      cluster.start(`cam-${i}`, `w${i < 100 ? 0 : i < 190 ? 1 : i < 280 ? 2 : i < 370 ? 3 : 4}`);
    const moved = new Map<string, number>();
    for (let i = 0; i < 400; i++, cluster.now += 1_000) {
      const known = cluster.begun.length;
      cluster.pass();
      expect(cluster.moves.size).toBeLessThanOrEqual(4);
      for (const url of cluster.workers.keys())
        expect([...cluster.moves.values()].filter(({ to }) => to === url).length).toBeLessThanOrEqual(2);
      for (const { unitId, at } of cluster.begun.slice(known)) {
        expect(at - (moved.get(unitId) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(300_000);
        moved.set(unitId, at);
      }
      const recent = cluster.begun.filter(({ at }) => at > cluster.now - 30_000);
      expect(recent.length).toBeLessThanOrEqual(2 * roundBudget(400));
      if (i % 3 === 0) cluster.finishAll();
    }
    expect(cluster.begun.length).toBeGreaterThan(20);
  });

  it('is continued by a successor from the stored state', () => {
    const cluster = new SimulatedCluster(units(60), workers(2));
    for (let i = 0; i < 60; i++) cluster.start(`cam-${i}`, i < 50 ? 'w0' : 'w1');
    cluster.pass();
    cluster.now += 20_000;
    const before = cluster.pass();
    expect(before.balance.rebalancing).toBe(true);
    expect(cluster.moves.size).toBeGreaterThan(0);
    // The successor sees the same world, moves and state, so it does not begin moves that are under way.
    const after = cluster.pass();
    expect(after.actions.filter(({ unitId }) => cluster.moves.has(unitId))).toEqual([]);
    expect(after.state?.rebalancing?.since).toBe(before.state?.rebalancing?.since);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanWorker } from './plan.types.js';
import { plan } from './plan.js';
import { random, unit, worker } from './test-support/build.js';
import { SimulatedCluster } from './test-support/simulated-cluster.js';

const sites = ['north', 'south'] as const;

type Step = (cluster: SimulatedCluster, next: () => number) => void;

const pick = <T>(items: Iterable<T>, next: () => number): T | undefined => {
  const all = [...items];
  return all[Math.floor(next() * all.length)];
};

function change(cluster: SimulatedCluster, next: () => number, more: Partial<PlanWorker>): void {
  const found = pick(cluster.workers.values(), next);
  if (found !== undefined) cluster.workers.set(found.url, { ...found, ...more });
}

const name = (next: () => number): string => Math.floor(next() * 1e9).toString(36);

const steps: Record<string, Step> = {
  'units come': (cluster, next) => {
    for (let i = Math.floor(next() * 8); i >= 0; i--) {
      const selector: Record<string, string> = next() < 0.5 ? { site: pick(sites, next)! } : {};
      const unitId = `cam-${name(next)}`;
      const cost = pick([1, 1, 1, 2, 3, 0.5], next)!;
      const priority = pick([0, 0, 0, 1, 2], next)!;
      cluster.units.set(unitId, unit(unitId, { cost, priority, selector, exclusive: next() < 0.1 }));
    }
  },
  'a unit goes': (cluster, next) => {
    const unitId = pick(cluster.units.keys(), next);
    if (unitId !== undefined) cluster.units.delete(unitId);
  },
  'a worker joins': (cluster, next) => {
    const url = `w${name(next)}`;
    const capacity = pick([4, 4, 8, 20], next)!;
    cluster.workers.set(url, worker(url, { capacity, labels: { site: pick(sites, next)! } }));
  },
  'a worker is removed': (cluster, next) => {
    const url = pick(cluster.workers.keys(), next);
    if (url === undefined) return;
    cluster.workers.delete(url);
    cluster.crash(url);
  },
  'a worker is suspect': (cluster, next) => change(cluster, next, { state: 'Suspect' }),
  'a worker dies': (cluster, next) => {
    const found = pick(cluster.workers.values(), next);
    if (found === undefined) return;
    cluster.workers.set(found.url, { ...found, state: 'Offline' });
    cluster.crash(found.url);
  },
  'workers are back': (cluster) => {
    for (const [url, found] of cluster.workers)
      if (found.state !== 'Ready') {
        cluster.workers.set(url, { ...found, state: 'Ready' });
        cluster.restore(url);
      }
  },
  'a worker is cordoned': (cluster, next) => change(cluster, next, { cordoned: true }),
  'a worker is drained': (cluster, next) => change(cluster, next, { drainSince: cluster.now }),
  'all are open': (cluster) => {
    for (const [url, { drainSince: _drain, cordoned: _cordon, ...open }] of cluster.workers)
      cluster.workers.set(url, open);
  },
  'a capacity changes': (cluster, next) => change(cluster, next, { capacity: 2 + Math.floor(next() * 10) }),
  'labels change': (cluster, next) => change(cluster, next, { labels: { site: pick(sites, next)! } }),
  'metrics change': (cluster, next) =>
    change(cluster, next, { cpu: 100 * next(), memory: next() < 0.1 ? 95 : 60 * next() }),
  'a worker fails a unit': (cluster, next) => {
    const [unitId, workerUrl] = [pick(cluster.units.keys(), next), pick(cluster.workers.keys(), next)];
    if (unitId !== undefined && workerUrl !== undefined)
      cluster.penalties = [...cluster.penalties.slice(-3), { unitId, workerUrl, soft: next() < 0.5 }];
  },
  'a move ends': (cluster, next) => {
    const unitId = pick(cluster.moves.keys(), next);
    if (unitId !== undefined) cluster.finish(unitId);
  },
  'a move fails': (cluster, next) => {
    const unitId = pick(cluster.moves.keys(), next);
    if (unitId !== undefined) cluster.giveUp(unitId);
  },
  'the network is bad': (cluster) => {
    cluster.frozen = true;
  },
  'the network is good': (cluster) => {
    cluster.frozen = false;
  },
  'rebalancing is requested': (cluster) => {
    cluster.requested = true;
  },
  'time passes': (cluster, next) => {
    cluster.now += Math.floor(40_000 * next());
  },
};

describe('plan: any sequence of events', () => {
  it('no worker ever exceeds its capacity, a camera is on one worker or moving, and the cluster settles in the end', () => {
    const happenings = fc.array(
      fc.tuple(fc.constantFrom(...Object.keys(steps), 'units come', 'a worker joins'), fc.boolean()),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(happenings, fc.integer(), (sequence, seed) => {
        const next = random(seed);
        const cluster = new SimulatedCluster([], [worker('first', { capacity: 10 })]);
        const shuffle = <T>(items: T[]): T[] => {
          const keys = new Map(items.map((item) => [item, next()]));
          return items.sort((a, b) => keys.get(a)! - keys.get(b)!);
        };
        for (const [happening, planned] of sequence) {
          steps[happening]!(cluster, next);
          if (planned) cluster.pass(shuffle);
        }

        cluster.frozen = false;
        cluster.finishAll();
        cluster.settle(1_000);
        const { actions, unplaced, placements } = plan(cluster.input);
        expect(actions).toEqual([]);
        expect(placements).toEqual(cluster.placements);
        expect(placements.size + unplaced.length).toBe(cluster.units.size);
      }),
      { numRuns: 1_500 },
    );
  });
});

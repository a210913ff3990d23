import { describe, expect, it } from 'vitest';
import { plan } from './plan.js';
import type { PlanInput, PlanUnit, PlanWorker } from './plan.types.js';
import { unit, units, worker } from './test-support/build.js';

const planOf = (input: Partial<Omit<PlanInput, 'placements'>> & { placements?: Record<string, string> }) =>
  plan({
    units: [],
    workers: [],
    ...input,
    placements: new Map(Object.entries(input.placements ?? {})),
  });

function countsOf(placements: ReadonlyMap<string, string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const url of placements.values()) counts[url] = (counts[url] ?? 0) + 1;
  return counts;
}

describe('plan: placement', () => {
  it('spreads one round evenly although the metrics do not change during the round', () => {
    const { placements } = planOf({
      units: units(30),
      workers: [
        worker('a', { cpu: 5, memory: 40 }),
        worker('b', { cpu: 6, memory: 40 }),
        worker('c', { cpu: 4, memory: 41 }),
      ],
    });
    for (const count of Object.values(countsOf(placements))) expect(count).toBeGreaterThanOrEqual(8);
  });

  it('lists placements in the order of the units', () => {
    const wanted = units(20).toReversed();
    const placements = { [wanted[3]!.unitId]: 'a' };
    const result = planOf({ units: wanted, workers: [worker('a'), worker('b')], placements });
    expect([...result.placements.keys()]).toEqual(wanted.map(({ unitId }) => unitId));
  });

  it('does not let a subscription count drown the processor', () => {
    const { actions } = planOf({
      units: [...units(10), unit('new')],
      workers: [worker('busy', { cpu: 95 }), worker('calm', { cpu: 10 })],
      placements: Object.fromEntries(units(10).map((u) => [u.unitId, 'calm'])),
    });
    expect(actions).toEqual([{ type: 'place', unitId: 'new', to: 'calm', waits: false }]);
  });

  it('weighs the cost of a unit by the size of the worker', () => {
    const workers = [worker('small', { capacity: 10 }), worker('large', { capacity: 100 })];
    const { placements } = planOf({ units: units(55), workers });
    expect(countsOf(placements)).toEqual({ small: 5, large: 50 });
  });

  it('takes the first preferred kind of worker that has room, and else any worker', () => {
    const preferred = [{ gpu: 'a100' }, { gpu: 'l4' }];
    const workers = [
      worker('any'),
      worker('l4', { capacity: 2, labels: { gpu: 'l4' }, cpu: 60 }),
      worker('a100', { capacity: 3, labels: { gpu: 'a100' }, cpu: 80 }),
      worker('elsewhere', { labels: { gpu: 'a100', site: 'south' } }),
    ];
    const { placements } = planOf({ units: units(8, { preferred }), workers: workers.slice(0, 3) });
    expect(countsOf(placements)).toEqual({ a100: 3, l4: 2, any: 3 });
    const selector = { gpu: 'l4' };
    expect(planOf({ units: [unit('1', { preferred, selector })], workers }).placements.get('1')).toBe('l4');
  });

  it('leaves a running unit at a kind that it does not prefer', () => {
    const { actions } = planOf({
      units: [unit('1', { preferred: [{ gpu: 'a100' }] })],
      workers: [worker('a100', { labels: { gpu: 'a100' } }), worker('other')],
      placements: { 1: 'other' },
    });
    expect(actions).toEqual([]);
  });

  it('slightly prefers a worker that has the model loaded', () => {
    const workers = [worker('a'), worker('b', { models: [7] }), worker('c')];
    const filled = { placements: { x: 'b', y: 'b' }, units: [unit('x'), unit('y')] };
    const to = (models: number[]) =>
      planOf({ ...filled, units: [...filled.units, unit('new', { models })], workers }).placements.get('new');
    expect(to([7])).toBe('b');
    expect(to([8])).not.toBe('b');
  });

  it.each<[string, Partial<PlanWorker>, Pick<PlanInput, 'penalties'>?]>([
    ['is not ready', { state: 'Suspect' }],
    ['is cordoned', { cordoned: true }],
    ['is drained', { drainSince: 0 }],
    ['is short of memory', { memory: 92 }],
    ['is short of GPU memory', { gpuMemory: 92 }],
    ['is full', { capacity: 1 }],
    ['lacks a label', { labels: {} }],
    ['has refused the camera', {}, { penalties: [{ unitId: 'new', workerUrl: 'loaded' }] }],
  ])('does not prefer a worker that has the model loaded and %s', (_name, limit, more = {}) => {
    const labels = { gpu: 'yes' };
    const { placements } = planOf({
      units: [unit('x'), unit('new', { models: [7], selector: labels })],
      workers: [
        worker('loaded', { cpu: 0, models: [7], labels, ...limit }),
        worker('busy', { cpu: 100, memory: 90, labels }),
      ],
      placements: { x: 'loaded' },
      ...more,
    });
    expect(placements.get('new')).toBe('busy');
  });

  it('breaks ties by unit, so that equal workers do not all get the same one first', () => {
    const workers = [worker('a'), worker('b'), worker('c'), worker('d')];
    const first = units(40).map((u) => planOf({ units: [u], workers }).placements.get(u.unitId));
    expect(new Set(first).size).toBe(4);
  });
});

describe('plan: filters', () => {
  it.each<[string, Partial<PlanWorker>, Partial<PlanUnit>]>([
    ['not-ready', { state: 'Connecting' }, {}],
    ['not-ready', { state: 'Suspect' }, {}],
    ['not-ready', { state: 'Offline' }, {}],
    ['cordoned', { cordoned: true }, {}],
    ['memory', { memory: 92 }, {}],
    ['gpu-memory', { gpuMemory: 99.5 }, {}],
    ['too-large', { capacity: 4 }, { cost: 5 }],
    ['too-large', { capacity: Number.NaN }, {}],
    ['too-large', {}, { cost: 101 }],
    ['selector', { labels: { site: 'north' } }, { selector: { site: 'south' } }],
    ['selector', {}, { selector: { constructor: 'x' } }],
  ])('%s: %j %j', (reason, workerMore, unitMore) => {
    const result = planOf({ units: [unit('u', unitMore)], workers: [worker('w', workerMore)] });
    expect(result.actions).toEqual([]);
    expect(result.unplaced).toEqual([{ unitId: 'u', reasons: { [reason]: 1 } }]);
  });

  it('counts one reason for each worker', () => {
    const { unplaced } = planOf({
      units: [unit('full', { cost: 3 }), unit('u', { cost: 2, selector: { gpu: 'yes' } })],
      workers: [
        worker('a', { capacity: 4, labels: { gpu: 'yes' } }),
        worker('b', { labels: { gpu: 'yes' } }),
        worker('c'),
        worker('d', { state: 'Offline' }),
      ],
      placements: { full: 'a' },
      penalties: [{ unitId: 'u', workerUrl: 'b' }],
    });
    expect(unplaced).toEqual([
      { unitId: 'u', reasons: { capacity: 1, penalty: 1, selector: 1, 'not-ready': 1 } },
    ]);
  });

  it('reports that there is no worker', () => {
    expect(planOf({ units: [unit('u')] }).unplaced).toEqual([{ unitId: 'u', reasons: {} }]);
  });

  it('keeps the site of a unit', () => {
    const workers = ['n1', 'n2', 's1', 's2'].map((url) => worker(url, { labels: { site: url[0]! } }));
    const mixed = Array.from({ length: 40 }, (_, i) => unit(`c${i}`, { selector: { site: 'ns'[i % 2]! } }));
    const { placements } = planOf({ units: mixed, workers });
    for (const u of mixed) expect(placements.get(u.unitId)![0]).toBe(u.selector!.site);
    expect(countsOf(placements)).toEqual({ n1: 10, n2: 10, s1: 10, s2: 10 });
  });
});

describe('plan: which units stay and which leave', () => {
  it.each<[string, Partial<PlanWorker>]>([
    ['ready, though badly loaded', { cpu: 100, memory: 99 }],
    ['cordoned', { cordoned: true }],
    ['suspect', { state: 'Suspect' }],
    ['connecting', { state: 'Connecting' }],
  ])('a unit stays on a worker that is %s', (_name, more) => {
    const result = planOf({
      units: [unit('u')],
      workers: [worker('w', more), worker('idle', { cpu: 0 })],
      placements: { u: 'w' },
    });
    expect(result.actions).toEqual([]);
    expect(result.placements.get('u')).toBe('w');
  });

  it.each<[string, Pick<PlanInput, 'workers' | 'penalties'>, Partial<PlanUnit>]>([
    ['worker-removed', { workers: [worker('other')] }, {}],
    ['worker-offline', { workers: [worker('w', { state: 'Offline' }), worker('other')] }, {}],
    [
      'selector',
      { workers: [worker('w'), worker('other', { labels: { a: 'b' } })] },
      { selector: { a: 'b' } },
    ],
    [
      'penalty',
      { workers: [worker('w'), worker('other')], penalties: [{ unitId: 'u', workerUrl: 'w' }] },
      {},
    ],
    ['over-capacity', { workers: [worker('w', { capacity: 1 }), worker('other')] }, { cost: 2 }],
  ])('moves for %s', (reason, input, more) => {
    // The unit keeps running there until it runs elsewhere, unless that worker has already lost it.
    const breaksFirst = reason !== 'selector' && reason !== 'over-capacity';
    const common = { units: [unit('u', more)], placements: { u: 'w' } };
    expect(planOf({ ...common, ...input }).actions).toEqual([
      { type: 'move', unitId: 'u', from: 'w', to: 'other', reason, breaksFirst, waits: false },
    ]);
    const alone = input.workers.filter(({ url }) => url !== 'other');
    expect(planOf({ ...common, ...input, workers: alone }).actions).toEqual([
      { type: 'evict', unitId: 'u', from: 'w', reason },
    ]);
  });

  it('sheds the smallest sufficient set, least important first', () => {
    const costs = { a: 3, b: 2, c: 4, d: 1 };
    const input = {
      units: Object.entries(costs).map(([id, cost]) => unit(id, { cost, priority: id === 'd' ? 1 : 0 })),
      workers: [worker('w', { capacity: 8 }), worker('other')],
      placements: { a: 'w', b: 'w', c: 'w', d: 'w' },
    };
    expect(planOf(input).actions).toEqual([
      {
        type: 'move',
        unitId: 'b',
        from: 'w',
        to: 'other',
        reason: 'over-capacity',
        breaksFirst: false,
        waits: false,
      },
    ]);
  });

  it('removes units that are not desired', () => {
    const result = planOf({ workers: [worker('w')], placements: { b: 'w', a: 'gone' } });
    expect(result.actions).toEqual([
      { type: 'evict', unitId: 'a', from: 'gone', reason: 'not-desired' },
      { type: 'evict', unitId: 'b', from: 'w', reason: 'not-desired' },
    ]);
    expect(result.placements.size).toBe(0);
  });
});

describe('plan: priority', () => {
  it('displaces the least important unit, never an equal one, and places it elsewhere', () => {
    const workers = [worker('a', { capacity: 2 }), worker('b', { capacity: 1 })];
    const low = unit('low', { priority: 1 });
    const mid = unit('mid', { priority: 2 });
    const high = unit('high', { priority: 3, cost: 2 });
    const placed = { low: 'a', mid: 'a' };
    expect(planOf({ units: [low, mid, high], workers, placements: placed }).actions).toEqual([
      { type: 'evict', unitId: 'low', from: 'a', reason: 'preempted' },
      {
        type: 'move',
        unitId: 'mid',
        from: 'a',
        to: 'b',
        reason: 'preempted',
        breaksFirst: true,
        waits: false,
      },
      { type: 'place', unitId: 'high', to: 'a', waits: false },
    ]);
    const equal = planOf({ units: [low, mid, { ...high, priority: 1 }], workers, placements: placed });
    expect(equal.actions).toEqual([]);
    expect(equal.unplaced).toEqual([{ unitId: 'high', reasons: { capacity: 1, 'too-large': 1 } }]);
  });
});

const projectedCpu = (idle?: PlanWorker['idle']) =>
  planOf({
    units: [...units(10), unit('new')],
    workers: [worker('w', { cpu: 40, ...(idle && { idle }) })],
    placements: Object.fromEntries(units(10).map((u) => [u.unitId, 'w'])),
  }).scores[0]!.components.cpu;

describe('plan: result', () => {
  it('shows the components of each load after the plan', () => {
    const [a, b] = planOf({
      units: [unit('u', { cost: 10 })],
      workers: [worker('b', { cpu: 50, memory: 20 }), worker('a', { state: 'Offline' })],
    }).scores;
    expect(a).toMatchObject({ url: 'a', rejects: 'not-ready', allocated: 0, load: 0 });
    expect(b).toMatchObject({ url: 'b', rejects: null, allocated: 10, capacity: 100 });
    const full = planOf({ units: [unit('u')], workers: [worker('w', { capacity: 1.5 })] });
    expect(full.scores[0]).toMatchObject({ rejects: 'capacity', allocated: 1 });
    const small = planOf({ units: [unit('u', { cost: 0.5 })], workers: [worker('w', { capacity: 1 })] });
    expect(small.scores[0]).toMatchObject({ rejects: null });
    expect(b!.components.allocation).toBeCloseTo(0.1);
    expect(b!.components.cpu).toBeCloseTo(0.6);
    expect(b!.components.memory).toBeCloseTo(0.3);
    expect(b!.components.gpu).toBeNull();
    expect(b!.load).toBeCloseTo(0.4 * 0.1 + 0.35 * 0.6 + 0.25 * 0.3);
  });

  it('derives the rise per unit from the present usage of a worker minus its idle usage', () => {
    expect(projectedCpu()).toBeCloseTo(0.44);
    expect(projectedCpu({ cpu: 20 })).toBeCloseTo(0.42);
    expect(projectedCpu({ cpu: 40 })).toBeCloseTo(0.402);
  });

  it('rejects duplicate identifiers', () => {
    expect(() => planOf({ units: [unit('u'), unit('u')] })).toThrow(/^units: "u" occurs twice/);
    expect(() => planOf({ workers: [worker('w'), worker('w')] })).toThrow(/^workers: w occurs twice/);
  });
});

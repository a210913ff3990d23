import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { untilCollected } from '../../../../test/support/until-collected.js';
import { ExplainedPlan, runToEnd } from '@detector-cluster/placement/internal';
import { unit, worker } from '../../../placement/src/planner/test-support/build.js';
import { SimulatedWorld, subscription } from '../../../placement/src/reconcile/simulated-world.fixture.js';
import type { ActualStateStore } from './actual-state-store.js';
import type { DesiredStateStore } from './desired-state-store.js';
import type { PlannerStateStore } from './planner-state-store.js';
import { Previews } from './previews.js';
import { ExplainedPlanCache } from './explained-plan-cache.js';

describe('ExplainedPlanCache', () => {
  let cost: number;
  let made: boolean[];
  let desired: object;
  let fails: boolean;
  let held: Promise<void>;
  let cache: ExplainedPlanCache;

  beforeEach(() => {
    vi.useFakeTimers();
    cost = 0;
    made = [];
    desired = {};
    fails = false;
    held = Promise.resolve();
    cache = new ExplainedPlanCache({
      make: async (rebalance) => {
        made.push(rebalance);
        vi.advanceTimersByTime(cost);
        if (fails) throw new Error('no plan');
        await held;
        return runToEnd(
          ExplainedPlan.of({ units: [unit('1')], workers: [worker('w')], placements: new Map() }),
        );
      },
      desired: () => desired,
    });
  });
  afterEach(() => vi.useRealTimers());

  it('decides once for all callers within 250 ms, for either kind of plan', async () => {
    const first = await cache.of(false);
    for (let i = 0; i < 100; i++) expect(await cache.of(false)).toBe(first);
    const other = await cache.of(true);
    vi.advanceTimersByTime(249);
    expect([await cache.of(false), await cache.of(true)]).toEqual([first, other]);
    expect(made).toEqual([false, true]);
    vi.advanceTimersByTime(1);
    await cache.of(false);
    await cache.of(true);
    expect(made).toEqual([false, true, false, true]);
  });

  it('takes at most a fifth of the time, for any duration and number of decisions', async () => {
    cost = 300;
    const until = performance.now() + 100 * 5 * cost;
    while (performance.now() < until) {
      await cache.of(false);
      vi.advanceTimersByTime(10);
    }
    expect(made.length).toBeGreaterThan(90);
    expect(made.length).toBeLessThanOrEqual(101);
  });

  it('keeps no plan for longer', async () => {
    const left = new WeakRef(await cache.of(false));
    vi.advanceTimersByTime(250);
    vi.useRealTimers();
    await untilCollected(left);
  });

  it('decides again after `forget`', async () => {
    await cache.of(false);
    await cache.of(true);
    cache.forget();
    await cache.of(false);
    await cache.of(true);
    expect(made).toEqual([false, true, false, true]);
  });

  it('decides again, once, when the desired state has changed', async () => {
    await cache.ofPresent(false);
    await cache.ofPresent(false);
    expect(made).toHaveLength(1);
    desired = {};
    await cache.of(false);
    expect(made).toHaveLength(1);
    for (let i = 0; i < 10; i++) await cache.ofPresent(false);
    expect(made).toHaveLength(2);
  });

  it('decides once for all that ask while it decides, unless something has happened', async () => {
    let decide!: () => void;
    held = new Promise((resolve) => (decide = resolve));
    const [first, second] = [cache.of(false), cache.of(false)];
    cache.forget();
    const third = cache.of(false);
    vi.advanceTimersByTime(10_000);
    decide();
    expect(await second).toBe(await first);
    expect(await third).not.toBe(await first);
    expect(made).toHaveLength(2);
    vi.advanceTimersByTime(249);
    expect(await cache.of(false)).toBe(await third);
  });

  it('decides again after a decision that failed', async () => {
    fails = true;
    await expect(cache.of(false)).rejects.toThrow('no plan');
    fails = false;
    await cache.of(false);
    expect(made).toHaveLength(2);
  });
});

/** How often a timer fires while something is made. */
async function turnsDuring(made: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await made;
  clearInterval(timer);
  return turns;
}

function previewsOf(world: SimulatedWorld): Previews {
  const { desired, tracked, moves } = world;
  return new Previews({
    term: 1,
    desired: { entries: desired, after: () => desired } as unknown as DesiredStateStore,
    actual: { tracked } as ActualStateStore,
    planner: { moves } as PlannerStateStore,
    input: () => world.input,
    frozen: () => false,
    models: () => [],
    nameOf: (url) => (url === 'ws://w0' ? 'Rack 1' : undefined),
  });
}

describe('Previews', () => {
  it('name workers', async () => {
    const world = new SimulatedWorld();
    for (const url of ['ws://w0', 'ws://w1']) world.addWorker(url);
    const { capacity, scores } = await previewsOf(world).plan(false);
    expect(scores).toMatchObject([
      { url: 'ws://w0', name: 'Rack 1' },
      { url: 'ws://w1', name: undefined },
    ]);
    expect(capacity).toMatchObject({ emptiestWorker: 'ws://w0', emptiestWorkerName: 'Rack 1' });
  });

  it('leave the event loop to other work while they are made', async () => {
    const world = new SimulatedWorld();
    for (let i = 0; i < 100; i++) world.addWorker(`ws://w${i}`);
    world.want(...Array.from({ length: 10_000 }, (_, i) => subscription(`d${i};c${i}`)));
    const previews = previewsOf(world);
    expect(await turnsDuring(previews.plan(false))).toBeGreaterThan(0);
    previews.forget();
    expect(await turnsDuring(previews.explain('d1;c1'))).toBeGreaterThan(0);
    // The plan without the change is known.
    expect(await turnsDuring(previews.change({ added: [], removed: [] }))).toBeGreaterThan(0);
    expect((await previews.plan(false)).actions).toHaveLength(10_000);
  });
});

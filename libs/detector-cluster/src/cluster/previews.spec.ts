import { beforeEach, describe, expect, it } from 'vitest';
import { ExplainedPlan } from '../planner/plan.js';
import { unit, worker } from '../planner/test-support/build.js';
import { ExplainedPlanCache } from './previews.js';

describe('ExplainedPlanCache', () => {
  let now: number;
  let cost: number;
  let made: boolean[];
  let desired: object;
  let cache: ExplainedPlanCache;

  beforeEach(() => {
    now = 1_000;
    cost = 0;
    made = [];
    desired = {};
    cache = new ExplainedPlanCache({
      make: (rebalance) => {
        made.push(rebalance);
        now += cost;
        return new ExplainedPlan({ units: [unit('1')], workers: [worker('w')], placements: new Map() });
      },
      desired: () => desired,
      now: () => now,
    });
  });

  it('decides once for all callers within 250 ms, for either kind of plan', () => {
    const first = cache.of(false);
    for (let i = 0; i < 100; i++) expect(cache.of(false)).toBe(first);
    const other = cache.of(true);
    now += 249;
    expect([cache.of(false), cache.of(true)]).toEqual([first, other]);
    expect(made).toEqual([false, true]);
    now += 1;
    cache.of(false);
    cache.of(true);
    expect(made).toEqual([false, true, false, true]);
  });

  it('takes at most a ninth of the time, for any duration and number of decisions', () => {
    cost = 300;
    const until = now + 100 * 9 * cost;
    while (now < until) {
      cache.of(false);
      now += 10;
    }
    expect(made.length).toBeGreaterThan(90);
    expect(made.length).toBeLessThanOrEqual(101);
  });

  it('decides again after `forget`', () => {
    cache.of(false);
    cache.of(true);
    cache.forget();
    cache.of(false);
    cache.of(true);
    expect(made).toEqual([false, true, false, true]);
  });

  it('decides again, once, when the desired state has changed', () => {
    cache.ofPresent(false);
    cache.ofPresent(false);
    expect(made).toHaveLength(1);
    desired = {};
    cache.of(false);
    expect(made).toHaveLength(1);
    for (let i = 0; i < 10; i++) cache.ofPresent(false);
    expect(made).toHaveLength(2);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { Outlook } from '../planner/outlook.js';
import { unit, worker } from '../planner/test-support/build.js';
import { OutlookDesk } from './outlook-desk.js';

describe('OutlookDesk', () => {
  let now: number;
  let cost: number;
  let made: boolean[];
  let desired: object;
  let desk: OutlookDesk;

  beforeEach(() => {
    now = 1_000;
    cost = 0;
    made = [];
    desired = {};
    desk = new OutlookDesk({
      make: (rebalance) => {
        made.push(rebalance);
        now += cost;
        return new Outlook({ units: [unit('1')], workers: [worker('w')], placements: new Map() });
      },
      desired: () => desired,
      now: () => now,
    });
  });

  it('decides once for all who ask within 250 ms, for either kind of plan', () => {
    const first = desk.of(false);
    for (let i = 0; i < 100; i++) expect(desk.of(false)).toBe(first);
    const other = desk.of(true);
    now += 249;
    expect([desk.of(false), desk.of(true)]).toEqual([first, other]);
    expect(made).toEqual([false, true]);
    now += 1;
    desk.of(false);
    desk.of(true);
    expect(made).toEqual([false, true, false, true]);
  });

  it('takes a ninth of the time at most, however long a decision takes and however often it is asked', () => {
    cost = 300;
    const until = now + 100 * 9 * cost;
    while (now < until) {
      desk.of(false);
      now += 10;
    }
    expect(made.length).toBeGreaterThan(90);
    expect(made.length).toBeLessThanOrEqual(101);
  });

  it('decides again after a change that the caller knows of', () => {
    desk.of(false);
    desk.of(true);
    desk.forget();
    desk.of(false);
    desk.of(true);
    expect(made).toEqual([false, true, false, true]);
  });

  it('decides again, once, when the desired state has changed', () => {
    desk.ofPresent(false);
    desk.ofPresent(false);
    expect(made).toHaveLength(1);
    desired = {};
    desk.of(false);
    expect(made).toHaveLength(1);
    for (let i = 0; i < 10; i++) desk.ofPresent(false);
    expect(made).toHaveLength(2);
  });
});

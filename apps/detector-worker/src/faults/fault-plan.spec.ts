import { describe, expect, it } from 'vitest';
import { ManualClock } from '../fixtures/manual-clock.fixture.js';
import { FaultPlan, faultsSchema } from './fault-plan.js';

const setUp = (faults: object) => {
  const clock = new ManualClock();
  return { clock, plan: new FaultPlan(clock, faultsSchema.parse(faults)) };
};

describe('FaultPlan', () => {
  it('has no fault by default', () => {
    const { plan, clock } = setUp({});
    clock.time = 1e9;
    expect([plan.refuses('d;c', 'c'), plan.isOffline('c'), plan.isSilent()]).toEqual([false, false, false]);
  });

  it('refuses by the name of a subscription or of a camera, not by a part of one', () => {
    const { plan } = setUp({ refuse: ['d1;c1', 'c2'] });
    expect(plan.refuses('d1;c1', 'c1')).toBe(true);
    expect(plan.refuses('d2;c1', 'c1')).toBe(false);
    expect(plan.refuses('d9;c2', 'c2')).toBe(true);
    expect(plan.refuses('d9;c22', 'c22')).toBe(false);
  });

  it('counts silence from the moment the plan was set', () => {
    const { plan, clock } = setUp({ silentAfterMs: 100 });
    clock.time = 99;
    expect(plan.isSilent()).toBe(false);
    clock.time = 100;
    expect(plan.isSilent()).toBe(true);
    plan.replace(faultsSchema.parse({ silentAfterMs: 100 }));
    expect(plan.isSilent()).toBe(false);
    clock.time = 200;
    expect(plan.isSilent()).toBe(true);
    plan.replace(faultsSchema.parse({}));
    expect(plan.isSilent()).toBe(false);
  });
});

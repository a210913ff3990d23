import { describe, expect, it } from 'vitest';
import { FaultPlan, faultsSchema } from './fault-plan.js';

const planOf = (faults: object) => new FaultPlan(faultsSchema.parse(faults));

describe('FaultPlan', () => {
  it('has no fault by default', () => {
    const plan = planOf({});
    expect([plan.refuses('d;c', 'c'), plan.isOffline('c')]).toEqual([false, false]);
  });

  it('refuses by the name of a subscription or of a camera, not by a part of one', () => {
    const plan = planOf({ refuse: ['d1;c1', 'c2'] });
    expect(plan.refuses('d1;c1', 'c1')).toBe(true);
    expect(plan.refuses('d2;c1', 'c1')).toBe(false);
    expect(plan.refuses('d9;c2', 'c2')).toBe(true);
    expect(plan.refuses('d9;c22', 'c22')).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { unitsOf } from './units-of.js';

const subscription = (subscriptionIdentifier: string, modelId = 1) => ({ subscriptionIdentifier, modelId });

describe('unitsOf', () => {
  it('groups by camera', () => {
    const subscriptions = [subscription('b;1', 9), subscription('x;2'), subscription('a;1', 3)];
    expect(unitsOf(subscriptions)).toEqual([
      { unitId: '1', subscriptions: ['a;1', 'b;1'], cost: 2, models: [3, 9] },
      { unitId: '2', subscriptions: ['x;2'], cost: 1, models: [1] },
    ]);
  });

  it('sums the given costs', () => {
    const [unit] = unitsOf([subscription('a;1', 1), subscription('b;1', 2)], (s) => s.modelId * 1.5);
    expect(unit?.cost).toBe(4.5);
  });

  it('refuses an identifier that is none', () => {
    expect(() => unitsOf([subscription('nonsense')])).toThrow(/^subscriptionIdentifier: /);
  });
});

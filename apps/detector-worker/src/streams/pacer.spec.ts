import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pacer } from './pacer.js';

describe('Pacer', () => {
  it('keeps the rate over any sequence of timer ticks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0.5, 1, 7, 30, 2000, 5000),
        fc.array(fc.double({ min: 0.1, max: 200, noNaN: true }), { minLength: 1, maxLength: 500 }),
        (perSecond, gaps) => {
          const pacer = new Pacer(perSecond, 0);
          let now = 0;
          let total = 0;
          for (const gap of gaps) {
            now += gap;
            total += pacer.due(now);
          }
          expect(Math.abs(total - (now * perSecond) / 1000)).toBeLessThanOrEqual(1.001);
        },
      ),
    );
  });

  it('returns nothing before the first event is due', () => {
    const pacer = new Pacer(1, 500);
    expect(pacer.due(499)).toBe(0);
    expect(pacer.due(500)).toBe(1);
    expect(pacer.due(1499)).toBe(0);
    expect(pacer.due(1500)).toBe(1);
  });

  it('makes up for at most a second of a pause', () => {
    const pacer = new Pacer(100, 0);
    pacer.due(0);
    expect(pacer.due(60_000)).toBeLessThanOrEqual(102);
    expect(pacer.due(60_010)).toBe(1);
  });

  it('never has anything due at a rate of zero', () => {
    expect(new Pacer(0, 0).due(1e9)).toBe(0);
  });
});

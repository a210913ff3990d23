import { describe, expect, it } from '@jest/globals';
import { DetectionRates } from './detection-rates.js';

describe('DetectionRates', () => {
  it('comes near to a steady rate, and fades when it ends', () => {
    let now = 0;
    const rates = new DetectionRates(() => now, 10_000);
    for (; now < 60_000; now += 50) rates.observe('w');
    expect(rates.current().get('w')).toBeGreaterThan(19);
    expect(rates.current().get('w')).toBeLessThan(21);
    now += 10_000;
    expect(rates.current().get('w')).toBeCloseTo(20 / Math.E, 0);
    now += 100_000;
    expect(rates.current().get('w')).toBeLessThan(0.01);
  });

  it('knows only workers that sent something and were not forgotten', () => {
    const rates = new DetectionRates(() => 0);
    rates.observe('a');
    rates.observe('b');
    rates.forget('a');
    expect([...rates.current().keys()]).toEqual(['b']);
  });
});

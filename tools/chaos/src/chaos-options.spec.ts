import { describe, expect, it } from '@jest/globals';
import { parseChaosOptions } from './chaos-options.js';

const parse = (...args: string[]) => parseChaosOptions(args, ['delivery', 'fence'], () => 7);

describe('parseChaosOptions', () => {
  it('runs everything with a drawn seed unless told otherwise', () => {
    expect(parse()).toEqual({ names: [], short: false, seed: 7, vanishMs: 12_000 });
  });

  it('takes scenarios in the order given, and options', () => {
    expect(parse('fence', 'delivery', '--short', '--seed', '42', '--vanish-ms', '40000')).toEqual({
      names: ['fence', 'delivery'],
      short: true,
      seed: 42,
      vanishMs: 40_000,
    });
  });

  it.each([
    [['nothing'], 'unknown scenario: nothing; there are: delivery, fence'],
    [['--seed', 'x'], '--seed x: it takes a whole number from 0 on'],
    [['--vanish-ms', '0'], '--vanish-ms 0: it takes a whole number from 1 on'],
    [['--loud'], '--loud'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import { parseChaosOptions } from './chaos-options.js';

const parse = (...args: string[]) => parseChaosOptions(args, ['delivery', 'fence'], () => 7);

describe('parseChaosOptions', () => {
  it('runs every scenario once with a drawn seed by default', () => {
    expect(parse()).toEqual({
      names: [],
      short: false,
      seed: 7,
      seeds: undefined,
      vanishMs: 40_000,
      from: undefined,
      histories: 'histories',
    });
  });

  it('takes scenarios in the order given, and options', () => {
    const options = ['--short', '--seed', '42', '--seeds', '3', '--vanish-ms', '50000'];
    options.push('--from', 'v0.1.0', '--histories', 'h');
    expect(parse('fence', 'delivery', ...options)).toEqual({
      names: ['fence', 'delivery'],
      short: true,
      seed: 42,
      seeds: 3,
      vanishMs: 50_000,
      from: 'v0.1.0',
      histories: 'h',
    });
  });

  it.each([
    [['nothing'], 'unknown scenario: nothing; there are: delivery, fence'],
    [['--seed', 'x'], '--seed must be a whole number of at least 0, got "x"'],
    [['--seeds', '0'], '--seeds must be a whole number of at least 1, got "0"'],
    [['--seeds', '2.5'], '--seeds must be a whole number of at least 1, got "2.5"'],
    [['--seeds', ''], '--seeds must be a whole number of at least 1, got ""'],
    [['--vanish-ms', '0'], '--vanish-ms must be a whole number of at least 1, got "0"'],
    [['--loud'], '--loud'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

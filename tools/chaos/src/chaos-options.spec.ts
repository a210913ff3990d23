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
      hours: 0.5,
      report: 'soak.html',
    });
  });

  it('takes three minutes for a short soak', () => {
    expect(parse('--short').hours).toBe(0.05);
    expect(parse('--short', '--hours', '2').hours).toBe(2);
  });

  it('takes scenarios in the order given, and options', () => {
    const options = ['--short', '--seed', '42', '--seeds', '3', '--vanish-ms', '50000', '--hours', '1.5'];
    options.push('--from', 'v0.1.0', '--histories', 'h', '--report', 'charts.html');
    expect(parse('fence', 'delivery', ...options)).toEqual({
      names: ['fence', 'delivery'],
      short: true,
      seed: 42,
      seeds: 3,
      vanishMs: 50_000,
      from: 'v0.1.0',
      histories: 'h',
      hours: 1.5,
      report: 'charts.html',
    });
  });

  it.each([
    [['nothing'], 'unknown scenario: nothing; there are: delivery, fence'],
    [['--seed', 'x'], '--seed must be a whole number of at least 0, got "x"'],
    [['--seeds', '0'], '--seeds must be a whole number of at least 1, got "0"'],
    [['--seeds', '2.5'], '--seeds must be a whole number of at least 1, got "2.5"'],
    [['--seeds', ''], '--seeds must be a whole number of at least 1, got ""'],
    [['--vanish-ms', '0'], '--vanish-ms must be a whole number of at least 1, got "0"'],
    [['--hours', '0'], '--hours must be a number above 0, such as 0.5, got "0"'],
    [['--hours', 'long'], '--hours must be a number above 0, such as 0.5, got "long"'],
    [['--loud'], '--loud'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseBenchOptions } from './bench-options.js';

describe('parseBenchOptions', () => {
  it('has defaults', () => {
    expect(parseBenchOptions([])).toEqual({ names: [], runs: 30, peerRuns: 5, timing: 'default' });
  });

  it('reads names and options in any order', () => {
    const args = ['election', '--runs', '3', 'failover', '--timing=fast', '--peer-runs', '0'];
    expect(parseBenchOptions(args)).toEqual({
      names: ['election', 'failover'],
      runs: 3,
      peerRuns: 0,
      timing: 'fast',
    });
  });

  it.each([
    [['--runs', '0'], /--runs 0: it takes a whole number from 1 on/],
    [['--runs', '1.5'], /--runs 1\.5/],
    [['--peer-runs', 'many'], /--peer-runs many: it takes a whole number from 0 on/],
    [['--timing', 'slow'], /--timing slow: it takes "default" .* or "fast"/],
    [['--rnus', '3'], /--rnus/],
  ])('refuses %j', (args, message) => {
    expect(() => parseBenchOptions(args)).toThrow(message);
  });
});

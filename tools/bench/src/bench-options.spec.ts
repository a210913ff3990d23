import { describe, expect, it } from 'vitest';
import { parseBenchOptions } from './bench-options.js';

describe('parseBenchOptions', () => {
  it('has defaults', () => {
    expect(parseBenchOptions([])).toEqual({
      names: [],
      runs: undefined,
      peerRuns: 5,
      timing: 'default',
      only: [],
      misroute: 0,
      source: 'postgres',
      size: undefined,
    });
  });

  it('reads names and options in any order', () => {
    const args = ['group', '--runs', '3', 'failover', '--timing=fast', '--peer-runs', '0'];
    expect(parseBenchOptions(args)).toEqual({
      names: ['group', 'failover'],
      runs: 3,
      peerRuns: 0,
      timing: 'fast',
      only: [],
      misroute: 0,
      source: 'postgres',
      size: undefined,
    });
  });

  it('reads the backends and the number of runs', () => {
    const { runs, only } = parseBenchOptions(['backends', '--runs', '2', '--only', 'redis,group']);
    expect([runs, only]).toEqual([2, ['redis', 'group']]);
  });

  it.each([
    [['--runs', '0'], /--runs 0: it takes a whole number from 1 on/],
    [['--runs', '1.5'], /--runs 1\.5/],
    [['--peer-runs', 'many'], /--peer-runs many: it takes a whole number from 0 on/],
    [['--timing', 'slow'], /--timing slow: it takes "default" .* or "fast"/],
    [['--rnus', '3'], /--rnus/],
    [['--source', 'mysql'], /--source mysql: it takes "postgres" or "memory"/],
    [['--size', '99'], /--size 99: it takes a whole number from 100 on/],
    [['--only', 'redis,reids'], /--only reids: there are redis, etcd/],
  ])('refuses %j', (args, message) => {
    expect(() => parseBenchOptions(args)).toThrow(message);
  });
});

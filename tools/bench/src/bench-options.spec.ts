import { describe, expect, it } from 'vitest';
import { parseBenchOptions } from './bench-options.js';

describe('parseBenchOptions', () => {
  it('has defaults', () => {
    expect(parseBenchOptions([])).toEqual({
      names: [],
      runs: 30,
      peerRuns: 5,
      timing: 'default',
      rounds: 16,
      only: [],
      deliveryRounds: 5,
      misroute: 0,
      size: 10_000,
    });
  });

  it('reads names and options in any order', () => {
    const args = ['election', '--runs', '3', 'failover', '--timing=fast', '--peer-runs', '0'];
    expect(parseBenchOptions(args)).toEqual({
      names: ['election', 'failover'],
      runs: 3,
      peerRuns: 0,
      timing: 'fast',
      rounds: 16,
      only: [],
      deliveryRounds: 5,
      misroute: 0,
      size: 10_000,
    });
  });

  it('reads the backends and the number of rounds', () => {
    const { rounds, only } = parseBenchOptions(['backends', '--rounds', '2', '--only', 'redis,group']);
    expect([rounds, only]).toEqual([2, ['redis', 'group']]);
  });

  it.each([
    [['--runs', '0'], /--runs 0: it takes a whole number from 1 on/],
    [['--runs', '1.5'], /--runs 1\.5/],
    [['--peer-runs', 'many'], /--peer-runs many: it takes a whole number from 0 on/],
    [['--timing', 'slow'], /--timing slow: it takes "default" .* or "fast"/],
    [['--rnus', '3'], /--rnus/],
    [['--rounds', '0'], /--rounds 0: it takes a whole number from 1 on/],
    [['--only', 'redis,reids'], /--only reids: there are redis, etcd/],
  ])('refuses %j', (args, message) => {
    expect(() => parseBenchOptions(args)).toThrow(message);
  });
});

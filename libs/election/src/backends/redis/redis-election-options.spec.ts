import { describe, expect, it } from 'vitest';
import { resolveElectionTimes, resolveRedisElectionOptions } from './redis-election-options.js';

const redis = 'redis://127.0.0.1:6379';

const problems = (lockTtl: number) => resolveElectionTimes({ lockTtl, heartbeatInterval: 5_000 }).problems;

describe('resolveRedisElectionOptions', () => {
  it('has the documented defaults', () => {
    expect(resolveRedisElectionOptions({ redis })).toMatchObject({
      lockName: 'master-election',
      lockTtl: 30_000,
      heartbeatInterval: 10_000,
      checkInterval: 5_000,
      validity: { presence: 400, lease: 29_404 },
      presenceLook: 250,
      presenceGrace: 500,
      confirmInterval: 100,
      crashDetection: 'presence',
      commandTimeout: 1_000,
    });
    expect(resolveRedisElectionOptions({ redis, timing: 'fast' })).toMatchObject({
      lockTtl: 3_000,
      heartbeatInterval: 1_000,
      checkInterval: 500,
      validity: { presence: 400, lease: 2_939 },
      commandTimeout: 500,
    });
  });

  it('leaves time for several calls within a lease', () => {
    const { commandTimeout, lockTtl, heartbeatInterval } = resolveRedisElectionOptions({
      redis,
      lockTtl: 600,
      heartbeatInterval: 250,
      checkInterval: 300,
    });
    expect(heartbeatInterval + 3 * commandTimeout).toBeLessThanOrEqual(lockTtl);
  });

  it('names all problems of the durations', () => {
    expect(() => resolveRedisElectionOptions({ redis, lockTtl: 100, heartbeatInterval: 60 })).toThrow(
      /lockTtl must be at least 200.*heartbeatInterval.*checkInterval/,
    );
    expect(
      resolveElectionTimes({ lockTtl: Number.NaN, heartbeatInterval: -1, checkInterval: Infinity }).problems,
    ).toHaveLength(3);
  });

  it('requires a lease of more than two heartbeats', () => {
    expect(problems(10_000)).toEqual([expect.stringMatching(/lockTtl \(10000\) must be more than twice/)]);
    expect(problems(10_001)).toEqual([]);
  });

  it.each([
    [{ presenceValidity: 500 }, /presenceValidity \(500\) must be shorter than presenceGrace \(500\)/],
    [{ presenceValidity: 491 }, /presenceValidity \(491\)/],
    [{ presenceGrace: 407 }, /presenceGrace \(407\)/],
    [{ confirmInterval: 101 }, /confirmInterval \(101\) must be at most a quarter/],
    [{ presenceLook: 0 }, /presenceLook must be a positive whole number/],
    [
      { lockTtl: 500, heartbeatInterval: 100, checkInterval: 100 },
      /presenceGrace \(500\) must be shorter than lockTtl/,
    ],
    [{ crashDetection: 'guess' as 'lease' }, /crashDetection must be 'presence' or 'lease', not "guess"/],
    [{ timing: 'slow' as 'fast' }, /timing must be 'default' or 'fast', not "slow"/],
  ])('refuses %j', (given, problem) => {
    expect(resolveElectionTimes(given).problems).toEqual([expect.stringMatching(problem)]);
  });

  it('does not check the durations of presence if it is not used', () => {
    expect(
      resolveElectionTimes({
        crashDetection: 'lease',
        lockTtl: 300,
        heartbeatInterval: 100,
        checkInterval: 100,
      }).problems,
    ).toEqual([]);
  });
});

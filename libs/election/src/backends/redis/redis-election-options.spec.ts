import { describe, expect, it } from '@jest/globals';
import { electionTimingProblems, resolveRedisElectionOptions } from './redis-election-options.js';

const redis = 'redis://127.0.0.1:6379';

describe('resolveRedisElectionOptions', () => {
  it('has the documented defaults', () => {
    expect(resolveRedisElectionOptions({ redis })).toMatchObject({
      lockName: 'master-election',
      lockTtl: 30_000,
      heartbeatInterval: 10_000,
      checkInterval: 5_000,
      validity: 29_700,
      commandTimeout: 1_000,
    });
    expect(resolveRedisElectionOptions({ redis, timing: 'fast' })).toMatchObject({
      lockTtl: 3_000,
      heartbeatInterval: 1_000,
      checkInterval: 500,
      validity: 2_970,
      commandTimeout: 500,
    });
  });

  it('leaves time for several calls within a lease', () => {
    const { commandTimeout, lockTtl, heartbeatInterval } = resolveRedisElectionOptions({
      redis,
      lockTtl: 600,
      heartbeatInterval: 300,
      checkInterval: 300,
    });
    expect(heartbeatInterval + 3 * commandTimeout).toBeLessThanOrEqual(lockTtl);
  });

  it('names everything that is wrong with the durations', () => {
    expect(() => resolveRedisElectionOptions({ redis, lockTtl: 100, heartbeatInterval: 60 })).toThrow(
      /lockTtl must be at least 200.*heartbeatInterval.*checkInterval/,
    );
    expect(
      electionTimingProblems({ lockTtl: Number.NaN, heartbeatInterval: -1, checkInterval: 1.5 }),
    ).toHaveLength(3);
  });
});

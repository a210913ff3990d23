import { startRedisSentinel, type RedisSentinelService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEST_TIMING } from '../../test-support/redis-harness.js';
import { ElectionGroup } from '../../test-support/election-group.js';
import { eventually } from '../../testing/eventually.js';

// Replication is asynchronous: what the old master acknowledged last may be unknown to the new one. What holds all the same:
// a candidate leads again, above every term that a candidate has seen.
describe('an election on a master that sentinels replace', () => {
  let redis: RedisSentinelService;
  let group: ElectionGroup;

  beforeEach(async () => {
    redis = await startRedisSentinel();
    group = new ElectionGroup();
    const { sentinels, name } = redis;
    for (let i = 0; i < 3; i++) group.join({ sentinels: [...sentinels], name }, TEST_TIMING);
    await group.followers(15_000);
  }, 60_000);
  afterEach(async () => {
    const problems = await group.close();
    await redis.stop();
    expect(problems).toEqual([]);
  });

  /** Waits until a grant of the new master is known to all, and checks the order of all grants before and after. */
  const goesOn = async (since: number) => {
    await eventually('a grant of the new master', 20_000, () =>
      group.members.find(({ leads, grants }) => leads && grants.at(-1)!.sentAt > since),
    );
    const before = group.members.flatMap(({ grants }) => grants).filter(({ sentAt }) => sentAt < since);
    const highest = Math.max(...before.map(({ term }) => term));
    await group.followers(10_000);
    for (const { elector } of group.members) expect(elector.term).toBeGreaterThanOrEqual(highest);
  };

  it('continues after a planned failover', async () => {
    const promoted = await redis.failover();
    expect(promoted).toBe(redis.nodes[1]);
    await goesOn(performance.now());
  }, 60_000);

  it('continues after its master has frozen without closing connections', async () => {
    const master = await redis.master();
    master.pause();
    await redis.promoted(master);
    await goesOn(performance.now());
    master.resume();
  }, 60_000);
});

import { availableRedisGenerations, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { ElectionGroup } from '../../test-support/election-group.js';
import { STEADY_TIMING } from '../../test-support/redis-harness.js';

const generations = await availableRedisGenerations();

/** The commands that read and write the lease, without publish and subscribe. */
const LEASE_ONLY = '+info +eval +evalsha +time +hmget +hset +hincrby +pexpire +pttl +get +set +del'.split(
  ' ',
);

describe.each(generations)('a user without rights to channels, generation %s', (generation) => {
  let server: RedisService | undefined;
  const group = new ElectionGroup();
  afterEach(async () => {
    const problems = await group.close();
    await server?.stop();
    expect(problems).toEqual([]);
  });

  it('takes part in an election whose leases expire, and is warned once', async () => {
    const rules = [`~${group.lockName}:*`, 'resetchannels', ...LEASE_ONLY];
    server = await startRedis({ generation, users: [{ name: 'app', password: 'secret', rules }] });
    const { host, port } = server;
    const join = () => group.join({ host, port, username: 'app', password: 'secret' }, STEADY_TIMING);
    const [first, second] = [join(), join()];
    const leader = await group.leader(15_000);
    await group.followers(5_000);
    const follower = leader === first ? second : first;
    await leader.elector.stop();
    await group.leader(5_000, [follower]);
    leader.elector.start();
    await group.followers(5_000);

    const admin = new Redis(server.url);
    expect(await admin.hget(`${group.lockName}:lease`, 'mode')).toBe('lease');
    // Each process that led was warned once.
    for (const { warnings } of [first, second])
      expect(warnings).toEqual([expect.stringContaining('presence')]);
    // The client does not keep retrying a refused channel.
    const log = (await admin.call('ACL', 'LOG', '100')) as unknown[][];
    const times = log
      .filter((entry) => entry.includes('subscribe'))
      .reduce((sum, [, count]) => sum + Number(count), 0);
    expect(times).toBeGreaterThanOrEqual(4);
    expect(times).toBeLessThanOrEqual(12);
    admin.disconnect();
  }, 60_000);
});

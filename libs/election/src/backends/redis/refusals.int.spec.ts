import {
  availableRedisGenerations,
  freePort,
  startRedis,
  type RedisService,
} from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ElectionGroup, type GroupMember } from '../../test-support/election-group.js';
import { isLate, STEADY_TIMING } from '../../test-support/redis-harness.js';
import { eventually } from '../../testing/eventually.js';

const generations = await availableRedisGenerations();
/** Microseconds for each key; questions are answered after every thousand of them. */
const LOADS_SLOWLY = ['--key-load-delay', '100'];
/** They take 15 s, unless the test has them read faster. */
const KEYS = 150_000;
const USER = { name: 'app', password: 'secret', rules: ['~*', '&*', '+@all'] };

for (const generation of generations)
  describe(`an election on a server that refuses, generation ${generation}`, () => {
    let server: RedisService;
    let admin: Redis;
    let group: ElectionGroup;
    let leader: GroupMember;

    beforeAll(async () => {
      server = await startRedis({ generation, persistence: true, users: [USER], args: LOADS_SLOWLY });
      admin = new Redis(server.url);
      admin.on('error', () => undefined);
    }, 60_000);
    afterAll(async () => {
      admin.disconnect();
      await server.stop();
    });

    beforeEach(async () => {
      group = new ElectionGroup();
      const { host, port } = server;
      const source = { host, port, username: USER.name, password: USER.password };
      group.join(source, STEADY_TIMING);
      group.join(source, STEADY_TIMING);
      leader = await group.leader(15_000);
      await group.followers(5_000);
    }, 30_000);
    afterEach(async () => {
      expect(await group.close()).toEqual([]);
    });

    const cutAll = async () => {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub', 'SKIPME', 'yes');
    };
    /** All members report the code and no member leads. All recover once the server is healed. */
    const refusedWith = async (code: string, heal: () => Promise<unknown>) => {
      await eventually(`${code} for all`, 15_000, () => group.members.every(({ codes }) => codes.has(code)));
      await eventually('no member leads', 10_000, () => group.members.every(({ leads }) => !leads));
      const attempts = Math.max(...group.members.map(({ errors }) => errors.length));
      expect(attempts).toBeLessThan(100);
      await heal();
      await eventually('all have recovered', 15_000, () =>
        group.members.every(({ recoveries }) => recoveries > 0),
      );
      await group.followers(15_000);
      expect(Math.max(...group.members.map(({ elector }) => elector.term))).toBeGreaterThanOrEqual(
        leader.grants[0]!.term,
      );
    };

    it('READONLY: the server became a replica', async () => {
      await admin.call('REPLICAOF', '127.0.0.1', await freePort());
      await refusedWith('READONLY', () => admin.call('REPLICAOF', 'NO', 'ONE'));
    }, 60_000);

    it('NOAUTH: a password was set', async () => {
      const { host, port } = server;
      const member = group.join({ host, port }, STEADY_TIMING);
      await group.followers(5_000);
      await admin.config('SET', 'requirepass', 'new');
      await cutAll();
      await eventually('NOAUTH', 15_000, () => member.codes.has('NOAUTH'));
      await admin.config('SET', 'requirepass', '');
      await eventually('recovered', 15_000, () => member.recoveries > 0);
      await group.followers(15_000);
    }, 60_000);

    it('WRONGPASS: the user was deleted', async () => {
      await admin.call('ACL', 'DELUSER', USER.name);
      await refusedWith('WRONGPASS', () =>
        admin.call('ACL', 'SETUSER', USER.name, 'on', `>${USER.password}`, ...USER.rules),
      );
    }, 60_000);

    it('NOPERM: the user lost a right', async () => {
      await admin.call('ACL', 'SETUSER', USER.name, '-evalsha');
      await refusedWith('NOPERM', () => admin.call('ACL', 'SETUSER', USER.name, '+evalsha'));
    }, 60_000);

    it('SCRIPT FLUSH: the scripts are sent again, and leadership does not change', async () => {
      const lease = leader.elector.lease!;
      const before = leader.grants.length;
      await admin.script('FLUSH', 'SYNC');
      await eventually('confirmed again', 5_000, () => leader.grants.length > before + 3);
      expect(leader.elector.lease).toBe(lease);
      const errors = group.members.flatMap((member) => member.errors);
      expect(errors.filter((error) => !isLate(error))).toEqual([]);
    }, 30_000);

    it('LOADING: the server reads its data', async () => {
      await admin.eval("for i = 1, ARGV[1] do redis.call('SET', 'loaded:' .. i, i) end", 0, KEYS);
      await server.kill();
      const started = server.start();
      // A server that reads its data takes this command.
      const loading = new Redis(server.url, { enableReadyCheck: false });
      loading.on('error', () => undefined);
      try {
        await refusedWith('LOADING', async () => {
          await loading.config('SET', 'key-load-delay', '0');
          await started;
        });
      } finally {
        loading.disconnect();
        await started;
      }
    }, 60_000);
  });

import { randomUUID } from 'node:crypto';
import { availableRedisGenerations, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { documentedCommands } from './test-support/documented-rights.js';
import { startTestProcess, type TestProcess } from './test-support/test-process.js';

const generations = await availableRedisGenerations();

describe.each(generations)('a Redis user with only the documented rights, generation %s', (generation) => {
  let server: RedisService | undefined;
  let admin: Redis | undefined;
  const processes: TestProcess[] = [];
  afterEach(async () => {
    await Promise.all(processes.splice(0).map(({ app }) => app.close()));
    admin?.disconnect();
    await server?.stop();
  });

  it('can run an election, and uses every one of these rights', async () => {
    const lockName = `election-${randomUUID()}`;
    const documented = documentedCommands(generation);
    const rules = ['resetkeys', `~${lockName}:*`, 'resetchannels', `&${lockName}:*`, ...documented];
    server = await startRedis({ generation, users: [{ name: 'app', password: 'secret', rules }] });
    admin = new Redis(server.url, { enableReadyCheck: false, disableClientInfo: true });
    const { host, port } = server;
    const redis = { host, port, username: 'app', password: 'secret' };
    const join = async (nodeId: string) => {
      const joined = await startTestProcess({ redis, lockName, nodeId });
      processes.push(joined);
      return joined;
    };

    // Another program has written to a key, so a process renames it.
    await admin.rpush(`${lockName}:processes`, 'of another program');
    const [a, b] = [await join('a'), await join('b')];
    await Promise.all([a, b].map(({ election }) => election.waitForElectionComplete()));
    const [master, slave] = a.election.getIsMaster() ? [a, b] : [b, a];
    await eventually('rests on presence', 10_000, async () => {
      return (await admin!.hget(`${lockName}:lease`, 'mode')) === 'presence';
    });
    await eventually('registered', 10_000, () =>
      master.events.includes(`slave-registered ${slave.election.getNodeId()}`),
    );
    await expect(join('a')).rejects.toThrow(/a/);
    const guest = { processId: 'guest', nodeId: 'guest', role: 'slave' as const };
    await slave.election.registerProcess({
      ...guest,
      lastSeen: new Date().toISOString(),
      capabilities: { canProcessDetections: false, maxSubscriptions: 0, preferredWorkload: 0 },
    });
    await slave.election.updateProcessHeartbeat('guest');
    await slave.election.unregisterProcess('guest');
    expect(await slave.election.runOnce('migrate', async () => undefined, { leaseTtl: 1_000 })).toBe(true);
    await master.election.resign();
    await eventually('the other is master', 10_000, () => slave.election.getIsMaster());
    expect(await slave.election.getSlaveCount()).toBe(1);

    const refused = (await admin.call('ACL', 'LOG')) as unknown[];
    expect(refused).toEqual([]);
    const stats = String(await admin.info('commandstats'));
    const used = (command: string) => stats.includes(`cmdstat_${command.slice(1)}:calls=`);
    expect(documented.filter((command) => !used(command))).toEqual([]);
    // Right after the start of the server, the election does not trust it to have kept every lease. A busy machine makes it answer late.
    const expected = ['STORE_RESTARTED', 'TIMEOUT', 'CONNECTION_LOST', 'STORE_UNREACHABLE'];
    const errors = [...a.errors, ...b.errors];
    expect(errors.filter(({ code }) => !expected.includes(String(code)))).toEqual([]);
  }, 60_000);
});

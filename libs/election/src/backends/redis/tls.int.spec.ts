import { freePort, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ElectionGroup } from '../../test-support/election-group.js';
import { eventually } from '../../testing/eventually.js';
import type { RedisSource } from './connection/redis-source.js';

const TIMING = { lockTtl: 3_000, heartbeatInterval: 1_000, checkInterval: 500 };

describe('an election over TLS', () => {
  let server: RedisService;
  let group: ElectionGroup;

  beforeAll(async () => {
    const busPort = await freePort();
    // One server that is a cluster, too, and does not know its own address.
    server = await startRedis({
      tls: true,
      args: ['--cluster-enabled', 'yes', '--tls-cluster', 'yes', '--cluster-port', String(busPort)],
    });
    const { host, port, ca } = server;
    const admin = new Redis({ host, port, tls: { ca } });
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    await eventually('the cluster serves', 20_000, async () =>
      String(await admin.cluster('INFO')).includes('cluster_state:ok'),
    );
    admin.disconnect();
  }, 60_000);
  afterAll(() => server.stop());
  afterEach(async () => {
    expect(await group.close()).toEqual([]);
  });

  const ways: Record<string, () => RedisSource> = {
    'a connection': () => ({ host: server.host, port: server.port, tls: { ca: server.ca } }),
    'a cluster': () => ({
      cluster: {
        nodes: [{ host: server.host, port: server.port }],
        options: { redisOptions: { tls: { ca: server.ca } } },
      },
    }),
  };
  it.each(Object.keys(ways))(
    'is held with the authority that is named in the options of %s',
    async (way) => {
      group = new ElectionGroup();
      group.join(ways[way]!(), TIMING);
      group.join(ways[way]!(), TIMING);
      const [follower] = await group.followers(15_000);
      const first = await group.leader(5_000);
      await first.elector.stop();
      const next = await group.leader(5_000, [follower!]);
      expect(next.elector.term).toBeGreaterThan(first.grants[0]!.term);
    },
    30_000,
  );

  it('does not take place with a server whose authority is unknown', async () => {
    group = new ElectionGroup();
    const { errors, grants } = group.join(server.url, TIMING);
    // On a busy machine the handshake takes longer than a call may wait for it.
    const refusal = await eventually('a refusal', 15_000, () =>
      errors.find(({ message }) => /self-signed/.test(message)),
    );
    expect(refusal).toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(grants).toEqual([]);
  }, 30_000);
});

import { SubscriptionTrigger } from '@detector-cluster/detector-cluster';
import { clusterKeys } from '@detector-cluster/detector-cluster/store';
import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
import { request, waitFor } from '@detector-cluster/local-cluster';
import { PrismaPg } from '@prisma/adapter-pg';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { PrismaClient } from '../../apps/cms-backend/src/generated/prisma/client.js';
import { allActive, masterOf, TIMEOUT, useClusters } from './support/cluster.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** Long enough for a message that must not come. */
const quiet = () => sleep(500);

describe('desired state', () => {
  const startCluster = useClusters();

  it('follows writes through any process, and shows why a display is skipped', async () => {
    const cluster = await startCluster({ backends: 2 });
    const count = await allActive(cluster);
    const master = await masterOf(cluster);
    const follower = cluster.backends.find((backend) => backend !== master)!;

    const { skipped } = await cluster.subscriptions();
    expect(skipped).toEqual([expect.objectContaining({ reason: 'no-playlist' })]);

    const ask = <T>(method: string, path: string, body?: object) =>
      request<T>(follower.url, method, path, body, TIMEOUT);
    await ask('POST', '/api/cameras', { cameraIdentifier: 'cam-new', rtspUrl: 'rtsp://cameras/new' });
    const playlist = await ask<{ items: { id: number }[] }>('GET', '/api/playlists?limit=1');
    await ask('POST', '/api/displays', {
      displayId: 'display-new',
      cameraIdentifier: 'cam-new',
      playlistId: playlist.items[0]!.id,
    });
    await allActive(cluster, count + 1);

    await ask('DELETE', '/api/displays/display-new');
    await allActive(cluster, count);
    const { workers } = await waitFor('the stream to be taken down', TIMEOUT, async () => {
      const state = await cluster.state();
      return state.workers.some(({ subscriptions }) => subscriptions.includes('display-new;cam-new'))
        ? null
        : state;
    });
    expect(workers.flatMap(({ subscriptions }) => subscriptions)).toHaveLength(count);
  });

  it('follows raw SQL of another program through the change feed', async () => {
    const cluster = await startCluster({ backends: 1, backendEnv: { CHANGE_FEED: 'true' } });
    const count = await allActive(cluster);
    const program = new pg.Client({ connectionString: cluster.databaseUrl });
    await program.connect();
    try {
      await installChangeFeed(program);
      const start = performance.now();
      await program.query(`
        insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
          select 'display-raw', (select min("cameraIdentifier") from "Camera"), min(id), now()
          from "Playlist" where "modelId" is not null`);
      await allActive(cluster, count + 1);
      // The master has just read the database: without the feed it would not look again for nearly 30 s.
      expect(performance.now() - start).toBeLessThan(20_000);
    } finally {
      await program.end();
    }
  });

  it('a transaction through the extended client triggers once, after its commit; a rollback never does', async () => {
    const cluster = await startCluster({ backends: 1 });
    const count = await allActive(cluster);
    const trigger = new SubscriptionTrigger({ redis: cluster.redis.url, keyPrefix: cluster.keyPrefix });
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: cluster.databaseUrl }) });
    const extended = prisma.$extends(subscriptionTriggers({ trigger }));
    const listener = new Redis(cluster.redis.url);
    const messages: string[] = [];
    listener.on('message', (_channel, message) => messages.push(message));
    await listener.subscribe(clusterKeys(cluster.keyPrefix).masterCommands);
    try {
      const { id } = await prisma.playlist.findFirstOrThrow({ where: { modelId: { not: null } } });
      const write = (fail: boolean) =>
        extended.$transaction(async (tx) => {
          await tx.camera.create({ data: { cameraIdentifier: 'cam-tx', rtspUrl: 'rtsp://cameras/tx' } });
          await tx.display.create({
            data: { displayId: 'display-tx', cameraIdentifier: 'cam-tx', playlistId: id },
          });
          await quiet();
          expect(messages).toEqual([]);
          if (fail) throw new Error('rolled back on purpose');
        });

      await expect(write(true)).rejects.toThrow('rolled back on purpose');
      await quiet();
      expect(messages).toEqual([]);

      await write(false);
      await allActive(cluster, count + 1);
      await quiet();
      expect(messages).toHaveLength(1);
    } finally {
      listener.disconnect();
      await trigger.close();
      await prisma.$disconnect();
    }
  });
});

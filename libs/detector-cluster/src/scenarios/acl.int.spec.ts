import { availableRedisGenerations, startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestWorker } from '../../../../apps/detector-worker/src/fixtures/test-worker.fixture.js';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { eventually } from '../../../../test/support/until.js';
import {
  partitionLog,
  openLogConnection,
  RedisLogStore,
  NotConfirmedError,
} from '@detector-cluster/delivery/internal';
import { DetectorClusterHealthIndicator } from '../nest/detector-cluster.health-indicator.js';
import { DetectorClusterHealthModule } from '../nest/detector-cluster-health.module.js';
import { clusterKeys } from '../shared/cluster-keys.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const TIMEOUT = 20_000;
const PREFIX = '{detector}:';

const PAGE = new URL('../../../../docs/redis-in-production.md', import.meta.url);

/** The text about Redis 8 outside the code blocks of the page. */
const SINCE_8 = ['+hsetex', '+client|setinfo'];

/** Rules of `ACL SETUSER` for an election and a detector cluster with the prefix `{detector}:`, as the documentation has them. */
function documentedRules(generation: string): string[] {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/```text\nACL SETUSER ([^`]+)```/g);
  const rules = Array.from(blocks, ([, text]) => text!.split(/\s+/)).flat();
  const wanted = rules.filter((rule) => /^[~&+]/.test(rule) || rule.startsWith('reset'));
  return [...new Set(wanted), ...(generation === '8' ? SINCE_8 : [])];
}

interface User {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** Repeats a call as after a lost reply, and requests one more replica than exists. */
async function appendTwice(user: User): Promise<void> {
  const connection = openLogConnection(user, 'test', () => undefined);
  await eventually('a connection', TIMEOUT, () => connection.redis.status === 'ready');
  const keys = clusterKeys(PREFIX);
  const store = new RedisLogStore(connection, keys.partitionsChanged);
  const append = {
    log: partitionLog(keys, 999),
    first: 1,
    batches: [{ count: 1, text: '{}' }],
    origins: [''],
  };
  const options = { term: 1, maxBacklogEntries: 10, maxBacklogBytes: 100, overflow: 'drop-oldest' as const };
  await store.append([append], { ...options, over: false, acceptance: null });
  await connection.redis.hset(append.log.record, 'process', 'owner');
  const again = store.append([append], { ...options, over: true, acceptance: { replicas: 1, timeout: 10 } });
  await expect(again).rejects.toThrow(NotConfirmedError);
  connection.close();
}

describe.each(await availableRedisGenerations())(
  'a user with the documented rights only, generation %s',
  (generation) => {
    let server: RedisService | undefined;
    let admin: Redis | undefined;
    const running: { stop(): Promise<unknown> }[] = [];
    afterEach(async () => {
      for (const one of running.splice(0).toReversed()) await one.stop();
      admin?.disconnect();
      await server?.stop();
    });

    it('needs all of them and no others', async () => {
      const rules = documentedRules(generation);
      server = await startRedis({ generation, users: [{ name: 'app', password: 'secret', rules }] });
      admin = new Redis(server.url, { enableReadyCheck: false, disableClientInfo: true });
      const user = { host: server.host, port: server.port, username: 'app', password: 'secret' };
      await appendTwice(user);
      await useCluster(user);

      expect(await admin.call('ACL', 'LOG')).toEqual([]);
      const commands = rules.filter((rule) => rule.startsWith('+'));
      expect(commands.length).toBeGreaterThan(30);
      const unused = async () => {
        const stats = String(await admin!.info('commandstats'));
        return commands.filter((rule) => !stats.includes(`cmdstat_${rule.slice(1)}:calls=`));
      };
      // The old master unsubscribes when it has handed over.
      await eventually('all commands', TIMEOUT, async () => (await unused()).length === 0).catch(() => null);
      expect(await unused()).toEqual([]);
    });

    async function useCluster(redis: User): Promise<void> {
      const worker = await TestWorker.start({ DETECTIONS_PER_SECOND: '20' });
      running.push(worker);
      const workers = [`ws://127.0.0.1:${worker.port}`];
      // Another program has written to a key, so the master renames it.
      await admin!.rpush(`${PREFIX}worker:streams`, 'of another program');
      const start = async () => {
        const imports = [DetectorClusterHealthModule];
        const started = await ClusterProcess.start({ prefix: PREFIX, redis, workers, imports });
        running.push(started);
        return started;
      };
      const [master, other] = [await start(), await start()];
      const { cluster } = other;

      const seen = { all: 0, one: 0 };
      let failing = true;
      cluster.addGlobalDetectionListener(({ subscriptionIdentifier }) => {
        if (failing && subscriptionIdentifier === 'd2;c2') throw new Error('no');
        seen.all++;
      });
      for (const id of ['d1;c1', 'd2;c2'])
        await cluster.subscribeToCamera(
          id,
          'rtsp://user:hunter2@x',
          'http://m/x',
          1,
          'cars',
          () => seen.one++,
        );
      await master.active(2);
      await eventually('detections', TIMEOUT, () => seen.all > 5 && seen.one > 5);

      const letters = () => cluster.listDeadLetters();
      await eventually('dead letters', TIMEOUT, async () => (await letters()).length > 1);
      failing = false;
      const [first, second] = await letters();
      expect((await cluster.replayDeadLetters([first!.letterId])).replayed).toBe(1);
      expect((await cluster.dropDeadLetters([second!.letterId])).dropped).toBe(1);
      await cluster.dropDeadLetters('all');

      await cluster.setSessionId('d1;c1', 7);
      await cluster.cordonWorker(workers[0]!);
      await cluster.uncordonWorker(workers[0]!);
      await cluster.plan({ dryRun: true });
      expect((await cluster.getState()).totalWorkers).toBe(1);
      expect(await cluster.listEvents()).not.toEqual([]);
      const health = await other.app.get(DetectorClusterHealthIndicator).isHealthy('cluster');
      expect(health.cluster?.status).toBe('up');
      await cluster.unsubscribeFromAllWithCameraID('c2');
      await cluster.resignMaster();
      seen.all = 0;
      await eventually('detections under the next master', TIMEOUT, () => seen.all > 5);
    }
  },
);

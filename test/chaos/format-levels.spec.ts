import { LocalCluster, request, SeededRandom, waitFor } from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Journal } from '../../tools/chaos/src/delivery/journal.js';
import { judgeFailover } from '../../tools/chaos/src/delivery/verdict.js';
import { JOURNALLED_BACKEND } from '../../tools/chaos/src/support/chaos-stage.js';
import { rollingScenario } from '../../tools/chaos/src/scenarios/rolling.scenario.js';
import { ChosenBuilds } from '../../tools/chaos/src/support/chosen-builds.js';
import { goesOn, untilDelivered } from '../../tools/chaos/src/support/going-on.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EARLIER = JOURNALLED_BACKEND;
const LATER = 'test/chaos/later-backends/raises-level-soon.mjs';
/** Three times as long as a later version waits. Milliseconds. */
const LONG_ENOUGH = 6_000;
const TIMEOUT = 60_000;

describe('two versions, the later one with a new format', () => {
  let builds: ChosenBuilds;
  let journal: Journal;
  let cluster: LocalCluster;
  let redis: Redis;
  const signal = AbortSignal.timeout(240_000);

  beforeAll(async () => {
    [builds, journal] = await Promise.all([ChosenBuilds.create(), Journal.create()]);
    cluster = await LocalCluster.start({
      backends: 0,
      workers: 1,
      backendScript: builds.script,
      workerEnv: { DETECTIONS_PER_SECOND: '10' },
      backendEnv: {
        ...builds.env,
        ELECTION_TIMING: 'fast',
        JOURNAL: journal.path,
        JOURNAL_ACCEPTED: 'on',
      },
    });
    redis = new Redis(cluster.redis.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await cluster?.stop();
    await Promise.all([builds?.close(), journal?.close()]);
  });

  const add = async (script: string) => {
    await builds.choose(`backend-${cluster.backends.length + 1}`, script);
    return cluster.addBackend();
  };
  const written = () => redis.hget(`${cluster.keyPrefix}master-election:formats`, 'level');
  const writers = async () => {
    const logs = await Promise.all(cluster.backends.map((backend) => backend?.log()));
    return logs.filter((log) => log?.includes('writes formats of level 2')).length;
  };

  it('write the earlier format until the last process of the earlier version has ended', async () => {
    const earlier = await add(EARLIER);
    await cluster.untilMaster(TIMEOUT);
    await add(LATER);
    await add(LATER);
    await request(earlier.url, 'POST', '/api/cluster/master/resign', {}, 30_000);
    await cluster.untilMaster(TIMEOUT, earlier);
    await goesOn(journal, signal);
    await sleep(LONG_ENOUGH);
    expect(await written()).toBeNull();
    expect(await writers()).toBe(0);

    await earlier.shutdown();
    await waitFor('the new format', TIMEOUT, async () => (await writers()) > 0);
    expect(await written()).toBe('2');
    await goesOn(journal, signal);
    const verdict = () => judgeFailover(journal.accepted, journal.deliveries);
    await cluster.workers[0]!.crash();
    await untilDelivered(journal, verdict, signal);
    expect(verdict()).toMatchObject({ lost: 0, outOfOrder: 0 });
  });

  it('do not let a process of the earlier version join again, which says what to start', async () => {
    await expect(add(EARLIER)).rejects.toThrow(
      'the cluster writes formats of level 2, and this process understands them up to level 1: start version 0.2.0 or newer',
    );
  });

  it('replace each other one by one in both directions before the new format is written', async () => {
    const log: string[] = [];
    const figures = await rollingScenario({
      short: true,
      random: new SeededRandom(1),
      signal,
      vanishMs: 0,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
      backendScript: 'test/chaos/later-backends/understands-level-2.mjs',
      progress: (message) => void log.push(message),
    });
    expect(figures, log.join('\n')).toMatchObject({ ok: true, replaced: 4 });
  });
});

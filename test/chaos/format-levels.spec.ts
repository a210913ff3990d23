import { checkHistory, type History } from '@detector-cluster/history';
import {
  type AppProcess,
  LocalCluster,
  request,
  SeededRandom,
  waitFor,
} from '@detector-cluster/local-cluster';
import { Redis } from 'ioredis';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JOURNALLED_BACKEND } from '../../tools/chaos/src/support/chaos-stage.js';
import { rollingScenario } from '../../tools/chaos/src/scenarios/rolling.scenario.js';
import { ChosenBuilds } from '../../tools/chaos/src/support/chosen-builds.js';
import { goesOn, untilDelivered } from '../../tools/chaos/src/support/going-on.js';
import { Histories } from '../../tools/chaos/src/support/histories.js';

const EARLIER = JOURNALLED_BACKEND;
const LATER = 'test/chaos/later-backends/raises-level-soon.mjs';
/** Three times as long as a later version waits. Milliseconds. */
const LONG_ENOUGH = 6_000;
const TIMEOUT = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'histories-'));
afterAll(() => rmSync(folder, { recursive: true }));
const histories = new Histories(folder, 'format-levels', 1);

describe('two versions, the later one with a new format', () => {
  const signal = AbortSignal.timeout(840_000);
  let builds: ChosenBuilds;
  let history: History;
  let cluster: LocalCluster;
  let redis: Redis;

  beforeEach(async () => {
    builds = await ChosenBuilds.create();
    history = histories.begin({ acceptance: 'masters', promises: ['lost', 'outOfOrder'] });
    cluster = await LocalCluster.start({
      backends: 0,
      workers: 1,
      backendScript: builds.script,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
      workerEnv: { DETECTIONS_PER_SECOND: '10' },
      backendEnv: {
        ...builds.env,
        ELECTION_TIMING: 'fast',
        HISTORY: history.path,
        JOURNAL_ACCEPTED: 'on',
      },
    });
    redis = new Redis(cluster.redis.url);
  });
  afterEach(async () => {
    redis?.disconnect();
    await cluster?.stop();
    await builds?.close();
    history?.close();
  });

  const add = async (script: string) => {
    await builds.choose(`backend-${cluster.backends.length + 1}`, script);
    return cluster.addBackend();
  };
  const written = () => redis.hget(`${cluster.keyPrefix}master-election:formats`, 'level');
  const writers = async () => {
    const logs = await Promise.all(cluster.backends.map((backend) => backend.log()));
    return logs.filter((log) => log.includes('writes formats of level 2')).length;
  };
  /** Has the master resign until it is another one. */
  const depose = (backend: AppProcess) =>
    waitFor('another master', TIMEOUT, async () => {
      const master = await cluster.master();
      if (master === backend) await request(master.url, 'POST', '/api/cluster/master/resign', {}, 30_000);
      return master !== null && master !== backend;
    });

  it('write the earlier format until the last process of the earlier version has ended, and then let none join again', async () => {
    const earlier = await add(EARLIER);
    await add(LATER);
    await add(LATER);
    await depose(earlier);
    await goesOn(history, signal);
    await sleep(LONG_ENOUGH);
    expect(await written()).toBeNull();
    expect(await writers()).toBe(0);

    await earlier.shutdown();
    await waitFor('the new format', TIMEOUT, async () => (await writers()) > 0);
    expect(await written()).toBe('2');
    await goesOn(history, signal);

    await expect(earlier.start()).rejects.toThrow(
      'the cluster writes formats of level 2, and this process understands them up to level 1: start version 0.2.0 or newer',
    );
    await goesOn(history, signal);
    await cluster.workers[0]!.crash();
    const figures = () => checkHistory(history).figures;
    await untilDelivered(history, figures, signal);
    expect(figures()).toMatchObject({ lost: 0, outOfOrder: 0 });
  });
});

describe('two versions, before either writes a new format', () => {
  it('replace each other one by one in both directions', async () => {
    const log: string[] = [];
    const figures = await rollingScenario({
      short: true,
      random: new SeededRandom(1),
      signal: AbortSignal.timeout(840_000),
      vanishMs: 0,
      from: undefined,
      hours: 0,
      report: '',
      histories,
      redisUrl: process.env.REDIS_URL,
      databaseUrl: process.env.DATABASE_URL,
      backendScript: 'test/chaos/later-backends/understands-level-2.mjs',
      progress: (message) => void log.push(message),
    });
    expect(figures, log.join('\n')).toMatchObject({ ok: true, replaced: 4 });
  });
});

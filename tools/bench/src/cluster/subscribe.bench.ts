import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { PrismaDesiredSource } from '@detector-cluster/detector-cluster/prisma';
import { startPostgres } from '@detector-cluster/dev-services';
import { LocalCluster, request } from '@detector-cluster/local-cluster';
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchOptions } from '../bench-options.js';
import { spread, timedRuns } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { SimulatedWorker } from '../support/simulated-worker.js';
import { addDisplays, createDisplayDatabase, openDisplayClient } from './display-database.js';

/** Writes of each kind by default. */
const RUNS = 30;

/** Minimum time between commits, so that none waits for the previous regeneration. Milliseconds. */
const DISTANCE = 700;

const TIMEOUT = 30_000;

const FORGET = `delete from "Display" where "displayId" like 'bench-%'`;

/** Displays of the database that is read, two on each camera. */
const DISPLAYS = 1_000;
const READS = 100;
const WARM_UP = 10;

interface Setting {
  readonly cluster: LocalCluster;
  readonly database: pg.Client;
  readonly cameraIdentifier: string;
  readonly playlistId: number;
}

/**
 * Measures the time from a write to the subscribe command at a worker, including the debounce: once through the Prisma extension
 * of a backend, and once as raw SQL that only the change feed sees. The time includes the write and its commit. Then it measures
 * one part of that time for a larger database: to read the desired state.
 */
export async function subscribeBench({ runs = RUNS }: BenchOptions) {
  const postgres = await startPostgres();
  try {
    const extension = await measure('Prisma extension', postgres.url, runs, false, writeThroughBackend);
    const feed = await measure('change feed', postgres.url, runs, true, writeRawSql);
    const read = await readDesired(postgres.url);
    return {
      bench: 'subscribe',
      ...spread('extension', extension),
      ...spread('changeFeed', feed),
      runs,
      ...spread('read', read),
      displays: DISPLAYS,
    };
  } finally {
    await postgres.stop();
  }
}

async function measure(
  name: string,
  postgresUrl: string,
  runs: number,
  changeFeed: boolean,
  write: (setting: Setting, displayId: string) => Promise<number>,
): Promise<number[]> {
  const cluster = await LocalCluster.start({ backends: 0, workers: 0, databaseUrl: postgresUrl });
  const worker = await SimulatedWorker.start();
  const database = new pg.Client({ connectionString: cluster.databaseUrl });
  try {
    await database.connect();
    if (changeFeed) await installChangeFeed(database);
    await cluster.addBackend({
      DETECTOR_WORKERS: worker.url,
      ELECTION_TIMING: 'fast',
      CHANGE_FEED: String(changeFeed),
    });
    await cluster.untilActive(TIMEOUT);
    const { rows } = await database.query<{ cameraIdentifier: string; playlistId: number }>(
      `select c."cameraIdentifier", p.id as "playlistId" from "Camera" c, "Playlist" p where p."modelId" is not null limit 1`,
    );
    const setting = { cluster, database, ...rows[0]! };
    const samples: number[] = [];
    for (let run = 0; run <= runs; run++) {
      await sleep(DISTANCE + Math.random() * 300);
      const displayId = `bench-${run}`;
      const arrival = subscribed(worker, `${displayId};${setting.cameraIdentifier}`);
      const start = await write(setting, displayId);
      const arrived = await arrival;
      // The first write is a warm-up.
      if (run > 0) samples.push(arrived - start);
      if (run % 10 === 0) progress(`subscribe, ${name}: ${run} of ${runs}`);
    }
    return samples;
  } finally {
    await database.end();
    await cluster.stop();
    worker.close();
  }
}

/** Resolves with the time at which the worker got this subscription, on the clock of `performance.now()`. */
async function subscribed(worker: SimulatedWorker, identifier: string): Promise<number> {
  for await (const [held] of on(worker, 'held', { signal: AbortSignal.timeout(TIMEOUT) }))
    if (held === identifier) break;
  return performance.now();
}

/** Removes the previous display. Without the feed, the same regeneration that adds the new display removes the old one. */
async function writeThroughBackend(setting: Setting, displayId: string): Promise<number> {
  const { cluster, database, cameraIdentifier, playlistId } = setting;
  await database.query(FORGET);
  const start = performance.now();
  await request(cluster.backends[0]!.url, 'POST', '/api/displays', {
    displayId,
    cameraIdentifier,
    playlistId,
  });
  return start;
}

async function writeRawSql(
  { database, cameraIdentifier, playlistId }: Setting,
  displayId: string,
): Promise<number> {
  const start = performance.now();
  await database.query('begin');
  await database.query(FORGET);
  await database.query(
    'insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt") values ($1, $2, $3, now())',
    [displayId, cameraIdentifier, playlistId],
  );
  await database.query('commit');
  return start;
}

/** Durations of reading the desired state, as a master does after each change. Milliseconds. */
async function readDesired(postgresUrl: string): Promise<number[]> {
  const url = await createDisplayDatabase(postgresUrl, 'read');
  await addDisplays(url, DISPLAYS, 2);
  const prisma = await openDisplayClient(url);
  try {
    const source = new PrismaDesiredSource(prisma);
    const samples = await timedRuns(WARM_UP + READS, async () => {
      let read = 0;
      for await (const { subscriptions } of source.read()) read += subscriptions.length;
      if (read !== DISPLAYS) throw new Error(`read ${read} of ${DISPLAYS}`);
    });
    return samples.slice(WARM_UP);
  } finally {
    await prisma.$disconnect();
  }
}

import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { LocalCluster, request } from '@detector-cluster/local-cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchOptions } from '../bench-options.js';
import { spread } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { WorkerTap } from './worker-tap.js';

/** Minimum time between commits, so that none waits for the previous regeneration. Milliseconds. */
const DISTANCE = 700;

const TIMEOUT = 30_000;

const FORGET = `delete from "Display" where "displayId" like 'bench-%'`;

interface Setting {
  readonly cluster: LocalCluster;
  readonly database: pg.Client;
  readonly cameraIdentifier: string;
  readonly playlistId: number;
}

/**
 * Measures the time from a write to the subscribe command at a worker, including the debounce: once through the Prisma extension
 * of a backend, and once as raw SQL that only the change feed sees. The time includes the write and its commit.
 */
export async function subscribeBench({ runs }: BenchOptions) {
  const extension = await measure('Prisma extension', runs, false, writeThroughBackend);
  const feed = await measure('change feed', runs, true, writeRawSql);
  return {
    bench: 'subscribe',
    ...spread('extension', extension),
    ...spread('changeFeed', feed),
    runs,
  };
}

async function measure(
  name: string,
  runs: number,
  changeFeed: boolean,
  write: (setting: Setting, displayId: string) => Promise<number>,
): Promise<number[]> {
  const cluster = await LocalCluster.start({ backends: 0, workers: 1 });
  const tap = await WorkerTap.start(cluster.workerUrl(cluster.workers[0]!));
  const database = new pg.Client({ connectionString: cluster.databaseUrl });
  try {
    await database.connect();
    if (changeFeed) await installChangeFeed(database);
    await cluster.addBackend({
      DETECTOR_WORKERS: tap.url,
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
      const arrival = tap.subscribed(`${displayId};${setting.cameraIdentifier}`);
      const start = await write(setting, displayId);
      const arrived = await Promise.race([arrival, sleep(TIMEOUT, null, { ref: false })]);
      if (arrived === null) throw new Error(`${displayId} did not arrive at the worker within ${TIMEOUT} ms`);
      // The first write is a warm-up.
      if (run > 0) samples.push(arrived - start);
      if (run % 10 === 0) progress(`subscribe, ${name}: ${run} of ${runs}`);
    }
    return samples;
  } finally {
    await database.end();
    tap.close();
    await cluster.stop();
  }
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

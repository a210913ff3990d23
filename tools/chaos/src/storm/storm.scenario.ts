import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import pg from 'pg';
import type { Figures, ScenarioContext } from '../scenario.js';
import { Stage } from '../support/stage.js';
import { pause, until } from '../support/until.js';
import { spread } from './spread.js';
import { StatementCounter } from './statement-counter.js';
import { SQL_WRITES, Writers } from './writers.js';

const BACKENDS = 2;
const CAMERAS = 60;
const CONCURRENCY = 8;
/** One write by Prisma costs as much as ten in SQL: with more of them, two processors are not enough for the rate. */
const PRISMA_SHARE = 0.2;
/** Only the master, when it makes the desired state anew, reads a snapshot. */
const REGENERATION = 'ISOLATION LEVEL REPEATABLE READ';
/** Writes that are not counted. */
const WARM_UP = 1_000;
/** From one regeneration to the next at least. Milliseconds. */
const INTERVAL = 500;
/** Much less than the 30 s after which the master would look by itself. Milliseconds. */
const SOON = 10_000;

/**
 * Very many writes, one by one through the Prisma extension and several at a time as raw SQL, and then transactions that are
 * rolled back. Regenerations are counted on the way to the database, commands at the workers.
 */
export async function stormScenario(context: ScenarioContext): Promise<Figures> {
  let counter: StatementCounter | undefined;
  try {
    const options = {
      backends: BACKENDS,
      cameras: CAMERAS,
      spareCameras: 1,
      hosts: [{ name: 'workers', workers: 2 }],
      prepare: async (databaseUrl: string) => {
        const client = new pg.Client({ connectionString: databaseUrl });
        await client.connect();
        await installChangeFeed(client);
        await client.end();
        counter = await StatementCounter.start(databaseUrl, REGENERATION);
        return { DATABASE_URL: counter.url, CHANGE_FEED: 'true' };
      },
    };
    return await Stage.with(context, options, async (stage) => {
      const { cluster } = stage;
      const writers = new Writers(
        cluster.databaseUrl,
        cluster.redis.url,
        cluster.keyPrefix,
        CAMERAS,
        2 * CONCURRENCY,
      );
      try {
        return await run(context, stage, writers, counter!);
      } finally {
        await writers.close();
      }
    });
  } finally {
    counter?.close();
  }
}

async function run(
  { short, signal, progress }: ScenarioContext,
  stage: Stage,
  writers: Writers,
  counter: StatementCounter,
): Promise<Figures> {
  const [writes, duration, rollbacks] = short ? [2_000, 2_000, 200] : [10_000, 5_000, 1_000];
  const write = (count: number, ms: number) =>
    Promise.all([
      spread(writers.throughPrisma, count * PRISMA_SHARE, ms, CONCURRENCY, signal),
      spread(writers.throughSql, (count * (1 - PRISMA_SHARE)) / SQL_WRITES, ms, CONCURRENCY, signal),
    ]);
  // A client that has just been made takes several times as long for the first writes.
  await write(WARM_UP, 0);
  await pause(4 * INTERVAL, signal);

  const atStart = counter.count;
  const start = performance.now();
  await write(writes, duration);
  const writeMs = performance.now() - start;
  const regenerations = counter.count - atStart;
  const allowed = Math.floor(writeMs / INTERVAL) + 2;
  progress(
    `${writes} writes in ${Math.round(writeMs)} ms: ${regenerations} regenerations, ${allowed} allowed`,
  );

  const lastWrite = performance.now();
  await writers.addDisplay('display-last', `camera-${CAMERAS + 1}`);
  await stage.allActive(CAMERAS + 1, SOON);
  const lastWriteMs = Math.round(performance.now() - lastWrite);
  const commandsOfWrites = await quiet(stage, signal);

  const beforeRollbacks = counter.count;
  await Promise.all(
    [writers.rolledBackByPrisma, writers.rolledBackBySql].map((write) =>
      spread(write, rollbacks / 2, 0, CONCURRENCY, signal),
    ),
  );
  await pause(4 * INTERVAL, signal);
  const workerCommands = (await stage.commandsTaken()) - commandsOfWrites;
  const regenerationsOfRollbacks = counter.count - beforeRollbacks;
  return {
    // Without any nothing was counted. The master looks by itself every 30 s.
    ok:
      regenerations <= allowed && regenerations > 0 && workerCommands === 0 && regenerationsOfRollbacks <= 1,
    regenerations,
    regenerationsAllowed: allowed,
    writes,
    writeMs: Math.round(writeMs),
    lastWriteMs,
    workerCommands,
    rollbacks,
    regenerationsOfRollbacks,
  };
}

/** Waits until workers have taken no command for a while; returns how many they have taken. */
async function quiet(stage: Stage, signal: AbortSignal): Promise<number> {
  let last = await stage.commandsTaken();
  let since = performance.now();
  return until(signal, 'the commands of the writes', 60_000, async () => {
    const taken = await stage.commandsTaken();
    if (taken !== last) since = performance.now();
    last = taken;
    return performance.now() - since > 4 * INTERVAL ? taken : null;
  });
}

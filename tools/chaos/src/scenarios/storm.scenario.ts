import { installChangeFeed } from '@detector-cluster/detector-cluster/change-feed';
import { withPostgres } from '@detector-cluster/dev-services';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { pause } from '../support/until.js';
import { describeCrop, wrongCrops } from './crops.js';
import { readingPercent, TransactionRecorder } from './transaction-recorder.js';
import { SQL_WRITES, Writers, type Write } from './writers.js';

const BACKENDS = 2;
const CAMERAS = 60;
const CONCURRENCY = 8;
/** One write by Prisma costs as much as ten in SQL: with more of them, two processors are not enough for the rate. */
const PRISMA_SHARE = 0.2;
/** Only a regeneration of the master begins a transaction of this kind. */
const REGENERATION = 'ISOLATION LEVEL REPEATABLE READ';
/** Warm-up writes, which are not counted. */
const WARM_UP = 1_000;
/** Longest time between two regenerations if reading is expensive. Milliseconds. */
const INTERVAL = 500;
/** Reading may take a fifth of the time. The rest is a tolerance for the clocks of two processes. */
const MAX_READING_PERCENT = 25;
/** Less than the 30 s after which the master reads everything again, which would hide a lost trigger. Milliseconds. */
const SOON = 10_000;
/** Milliseconds. */
const LOOK_EVERY = 50;

/**
 * Makes very many writes: one by one through the Prisma extension, several at a time as raw SQL, then transactions that are
 * rolled back. It counts regenerations on the connection to the database, and commands and crops at the workers.
 */
export async function stormScenario(context: ScenarioContext): Promise<Figures> {
  let counter: TransactionRecorder | undefined;
  try {
    const options = {
      backends: BACKENDS,
      cameras: CAMERAS,
      spareCameras: 1,
      hosts: [{ name: 'workers', workers: 2 }],
      prepare: async ({ cluster: { databaseUrl } }: ChaosStage) => {
        await withPostgres(databaseUrl, (client) => installChangeFeed(client));
        counter = await TransactionRecorder.start(databaseUrl, REGENERATION);
        return { DATABASE_URL: counter.url, CHANGE_FEED: 'true' };
      },
    };
    return await ChaosStage.with(context, options, async (stage) => {
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
    await counter?.close();
  }
}

async function run(
  { short, signal, progress }: ScenarioContext,
  stage: ChaosStage,
  writers: Writers,
  counter: TransactionRecorder,
): Promise<Figures> {
  const [writes, duration, rollbacks] = short ? [2_000, 2_000, 200] : [10_000, 5_000, 1_000];
  const write = (count: number, ms: number) =>
    Promise.all([
      spread(writers.throughPrisma, count * PRISMA_SHARE, ms, CONCURRENCY, signal),
      spread(writers.throughSql, (count * (1 - PRISMA_SHARE)) / SQL_WRITES, ms, CONCURRENCY, signal),
    ]);
  // The first writes of a new client take several times as long.
  await write(WARM_UP, 0);
  await pause(4 * INTERVAL, signal);

  const atStart = counter.count;
  const start = performance.now();
  await write(writes, duration);
  const writeMs = performance.now() - start;
  const regenerations = counter.count - atStart;
  const reading = readingPercent(counter.transactions.slice(atStart));
  // Regenerations with the longest allowed pause between them are never too many, regardless of their duration.
  const few = regenerations <= Math.floor(writeMs / INTERVAL) + 2;
  const writesPerSecond = Math.round((writes / writeMs) * 1_000);
  progress(
    `${writes} writes in ${Math.round(writeMs)} ms, ${writesPerSecond} a second: ${regenerations} regenerations, reading ${reading} % of the time`,
  );

  const { lastWriteMs, stale } = await lastWrites(stage, writers, signal, progress);
  const commandsOfWrites = await stage.commandsSettled(4 * INTERVAL);

  const beforeRollbacks = counter.count;
  await Promise.all(
    [writers.rolledBackByPrisma, writers.rolledBackBySql].map((write) =>
      spread(write, rollbacks / 2, 0, CONCURRENCY, signal),
    ),
  );
  await pause(4 * INTERVAL, signal);
  const workerCommands = (await stage.commandsTaken()) - commandsOfWrites;
  const regenerationsOfRollbacks = counter.count - beforeRollbacks;
  const staleCrops = Math.max(stale, (await staleNow(stage, writers)).length);
  return {
    // Without any regeneration, the count has failed. One of them may be the periodic one, every 30 s.
    ok:
      (few || reading <= MAX_READING_PERCENT) &&
      regenerations > 0 &&
      staleCrops === 0 &&
      workerCommands === 0 &&
      regenerationsOfRollbacks <= 1,
    regenerations,
    readingPercent: reading,
    writes,
    writeMs: Math.round(writeMs),
    writesPerSecond,
    lastWriteMs,
    staleCrops,
    workerCommands,
    rollbacks,
    regenerationsOfRollbacks,
  };
}

/**
 * A regeneration that reads everything hides a lost trigger. After the storm each way therefore writes once more, alone, and
 * workers must soon run what the database says.
 */
async function lastWrites(
  stage: ChaosStage,
  writers: Writers,
  signal: AbortSignal,
  progress: (message: string) => void,
): Promise<{
  /** The longest time from a last write until the workers ran the state of the database. */
  readonly lastWriteMs: number;
  /** How many subscriptions still ran another crop at the timeout. */
  readonly stale: number;
}> {
  const writes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the storm', () => Promise.resolve()],
    ['a write as raw SQL', writers.changeAllBySql],
    ['a write through Prisma', () => writers.addDisplay('display-last', `camera-${CAMERAS + 1}`)],
  ];
  let lastWriteMs = 0;
  for (const [name, write] of writes) {
    await write();
    const start = performance.now();
    let stale = await staleNow(stage, writers);
    while (stale.length > 0 && performance.now() - start < SOON) {
      await pause(LOOK_EVERY, signal);
      stale = await staleNow(stage, writers);
    }
    const ms = Math.round(performance.now() - start);
    lastWriteMs = Math.max(lastWriteMs, ms);
    progress(`${ms} ms after ${name}: ${stale.length} stale crops${stale.slice(0, 3).map((id) => ` ${id}`)}`);
    if (stale.length > 0) return { lastWriteMs, stale: stale.length };
  }
  return { lastWriteMs, stale: 0 };
}

/** Subscriptions whose worker does not run the crop that the database has. */
async function staleNow(stage: ChaosStage, writers: Writers): Promise<string[]> {
  const desired = await writers.crops();
  const reports = await Promise.all(stage.links.map((link) => link.stats()));
  const running = reports
    .flatMap(({ streams }) => streams)
    .flatMap(({ subscriptions }) => subscriptions)
    .map((each) => ({ subscriptionIdentifier: each.subscriptionIdentifier, crop: describeCrop(each) }));
  return wrongCrops(desired, running);
}

/**
 * Runs `total` writes evenly over `duration` ms, at most `concurrency` at a time. If the writes are slower, it takes longer.
 * Rejects with the first failure.
 */
async function spread(
  write: Write,
  total: number,
  duration: number,
  concurrency: number,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < total) {
        signal.throwIfAborted();
        const n = next++;
        const early = (n * duration) / total - (performance.now() - start);
        if (early > 1) await sleep(early);
        await write(n);
      }
    }),
  );
}

import { withRedis } from '@detector-cluster/dev-services';
import { AcceptanceMonitor, ownerRecord } from '@detector-cluster/local-cluster';
import type { HistoryLine, SentByWorker, Stall, Starved } from '@detector-cluster/history';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { endSending } from '../support/end-sending.js';
import { pause, until } from '../support/until.js';
import { Faults } from './faults.js';
import { type TimedEvent, timeline } from './timeline.js';

/** So many that none of their outboxes fills up while there is no master or no Redis. */
const WORKERS = 6;
const BACKENDS = 4;
const CAMERAS = 30;
/**
 * The faults stop each partition for tens of seconds in total, and processes that start take the processor from those that run. At this
 * rate a log does not fill up in that time.
 */
const PER_SECOND = 1_000;
/** Longer than the detection of a dead process, the reassignment of its partitions and a retry of a callback. Milliseconds. */
const QUIET = 30_000;

const SAY_EVERY = 5_000;
const MAX_SAID = 5;

const PROMISES = [
  'lostSent',
  'lost',
  'dropped',
  'lateStarts',
  'lateAcceptances',
  'unaccounted',
  'unfinished',
  'duplicates',
  'maxRefusedMs',
  'staleCommands',
  'staleWrites',
];

interface Target {
  readonly detections: number;
  readonly rounds: number;
}

/**
 * Detections while processes are killed, frozen, isolated and replaced, Redis is frozen, connections break and cameras move.
 * Accepted detections are observed at the Redis server. Callbacks write into the history when they start, on one clock for all
 * processes, one system call each.
 */
export async function deliveryScenario(context: ScenarioContext): Promise<Figures> {
  const target = context.short ? { detections: 10_000, rounds: 1 } : { detections: 100_000, rounds: 5 };
  const env = { DETECTIONS_PER_SECOND: String(Math.round(PER_SECOND / CAMERAS)), CAPACITY: '100' };
  let monitor: AcceptanceMonitor | undefined;
  const options = {
    backends: BACKENDS,
    cameras: CAMERAS,
    ownRedis: {},
    hosts: [{ name: 'workers', workers: WORKERS, env }],
    journal: true,
    promised: { acceptance: 'redis', promises: PROMISES } as const,
    backendEnv: { LOG_FORMAT: 'json' },
    // Starts before any backend can have detections accepted.
    prepare: async ({ cluster: { redis, keyPrefix } }: ChaosStage) => {
      monitor = new AcceptanceMonitor(redis.url, keyPrefix);
      await monitor.start();
      return {};
    },
  };
  try {
    return await ChaosStage.with(context, options, (stage) => run(context, stage, monitor!, target));
  } finally {
    monitor?.stop();
  }
}

async function run(
  context: ScenarioContext,
  stage: ChaosStage,
  monitor: AcceptanceMonitor,
  target: Target,
): Promise<Figures> {
  const { random, signal, progress } = context;
  const { history } = stage;
  const faults = new Faults(stage, random, signal);
  try {
    const from = Date.now();
    faults.start();
    await underLoad(context, monitor, faults, target);
    await faults.stop();
    await pause(1_000, signal);
    history.write({ sending: { from, to: Date.now() } });
    history.write((await endSending(stage, CAMERAS, signal)).map((sent) => ({ sent })));
    await stage.hosts[0]!.process.crash();
    progress('no more detections and faults; waiting for the remaining deliveries');
    await settle(context, monitor);
    monitor.check();
    history.write(observed(monitor));
    const { broken, figures, violations } = stage.conclude(faults.blows);
    if (broken.length > 0)
      progress(
        `what happened:\n${await timeline([...history.faults, ...history.stalls.map(toEvent), ...history.starved.map(toStarved)], stage.cluster.backends)}`,
      );
    if (figures.lost + figures.unfinished > 0) progress(await describeLeftovers(stage).catch(String));
    for (const { promise, what } of violations.slice(0, MAX_SAID)) progress(`${promise}: ${what}`);
    return {
      ok: broken.length === 0,
      broken,
      ...figures,
      droppedByWorkers: sum(history.sent.map(droppedBy)),
      takenForDead: faults.takenForDead,
      slowestTerminationMs: faults.slowestTermination,
      ...faults.byKind,
    };
  } finally {
    await faults.stop().catch(() => undefined);
  }
}

/** Resolves when enough has been accepted and every kind of fault has happened often enough. */
async function underLoad(
  { signal, progress }: ScenarioContext,
  monitor: AcceptanceMonitor,
  faults: Faults,
  target: Target,
): Promise<void> {
  for (
    let said = performance.now();
    monitor.accepted.size < target.detections || faults.rounds < target.rounds;
  ) {
    await pause(200, signal);
    faults.check();
    monitor.check();
    if (performance.now() - said < SAY_EVERY) continue;
    said = performance.now();
    progress(`${monitor.accepted.size} accepted; ${JSON.stringify(faults.byKind)}`);
  }
}

/** Resolves when every accepted detection is finished, or nothing has happened for long. */
async function settle({ signal }: ScenarioContext, monitor: AcceptanceMonitor): Promise<void> {
  const { accepted, finished, dropped } = monitor;
  for (let before = -1; before !== finished.size && finished.size + dropped.size < accepted.size;) {
    before = finished.size;
    await until(signal, 'more deliveries', () => finished.size > before, QUIET).catch(() =>
      signal.throwIfAborted(),
    );
  }
}

/** What Redis has done, in its order. */
function observed({ accepted, dropped, finished }: AcceptanceMonitor): HistoryLine[] {
  return [
    ...Array.from(accepted, ([id, { at }]) => ({ accepted: { id, at } })),
    ...Array.from(dropped, (id) => ({ dropped: id })),
    ...Array.from(finished, (id) => ({ finished: id })),
  ];
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const droppedBy = ({ dropped }: SentByWorker): number =>
  sum(Object.values(dropped).flatMap((ranges) => ranges.map(([first, last]) => last - first + 1)));

const toEvent = ({ process, at, ms, waited }: Stall): TimedEvent => ({
  at,
  what: `process ${process} stood still for ${ms} ms and waited for a processor for ${waited} ms of it`,
});

const toStarved = ({ process, at, ms }: Starved): TimedEvent => ({
  at,
  what: `process ${process} had no processor for more than two thirds of ${ms} ms`,
});

/** Describes non-empty partitions with their owners, and the processes, to help find lost detections. */
async function describeLeftovers(stage: ChaosStage): Promise<string> {
  const { cluster } = stage;
  const left = [...(await stage.logLengths())].filter(([, length]) => length > 0);
  const { hostname: host, port } = new URL(cluster.redis.url);
  const lines = await withRedis({ host, port: Number(port) }, (redis) =>
    Promise.all(
      left.map(
        async ([log, length]) =>
          `${log}: ${length} entries, ${JSON.stringify(await redis.hgetall(ownerRecord(log)))}`,
      ),
    ),
  );
  const { followers } = await cluster.state();
  return [...lines, JSON.stringify({ followers })].join('\n');
}

import { startRedisSentinel, type RedisSentinelService } from '@detector-cluster/dev-services';
import { Journal, JOURNALLED_BACKEND } from '../journal/journal.js';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { pause, until } from '../support/until.js';
import { judgeFailover, type FailoverVerdict } from './failover-verdict.js';
import { killBehind } from './kill-behind.js';
import { rejoin } from './rejoin.js';

const BACKENDS = 3;
const WORKERS = 2;
const CAMERAS = 20;
const PER_SECOND = 1_000;
/** After this many accepted detections, the cluster counts as working again. */
const GOING_ON = 200;
/** Milliseconds under load before the next kill. */
const BETWEEN = [1_000, 3_000] as const;
/** How far the replica and the owners of partitions are behind at every other kill. Milliseconds. */
const LAG = [300, 700] as const;
const TIMEOUT = 60_000;
/** While detections are pending, deliveries pause for less than this. Milliseconds. */
const QUIET = 10_000;

const ACCEPTANCE = { DELIVERY_ACCEPTANCE_REPLICAS: '1', DELIVERY_ACCEPTANCE_TIMEOUT: '1000' };

/**
 * The Redis master is killed under load, its replica takes over, and the killed server comes back as a replica. Replication is
 * asynchronous: without the option `acceptance` the new master may lack detections that the old one had accepted. With the
 * option a detection is accepted when a replica has it. What masters call accepted, the backends write into the journal.
 */
export async function redisFailoverScenario(context: ScenarioContext): Promise<Figures> {
  const kills = context.short ? { with: 2, without: 1 } : { with: 10, without: 5 };
  const confirmed = await part(context, kills.with, ACCEPTANCE);
  const plain = await part(context, kills.without, {});
  return {
    ok: confirmed.lost === 0 && confirmed.outOfOrder === 0 && plain.outOfOrder === 0,
    lost: confirmed.lost,
    outOfOrder: confirmed.outOfOrder,
    duplicates: confirmed.duplicates,
    accepted: confirmed.accepted,
    maxOutageMs: confirmed.maxOutageMs,
    kills: kills.with,
    lostWithoutOption: plain.lost,
    outOfOrderWithoutOption: plain.outOfOrder,
    acceptedWithoutOption: plain.accepted,
    maxOutageMsWithoutOption: plain.maxOutageMs,
    killsWithoutOption: kills.without,
  };
}

interface PartFigures extends FailoverVerdict {
  readonly accepted: number;
  /** Longest time from a kill until enough was accepted again. With the option, that needs the killed server as a replica. */
  readonly maxOutageMs: number;
}

async function part(
  context: ScenarioContext,
  kills: number,
  acceptance: Readonly<Record<string, string>>,
): Promise<PartFigures> {
  const sentinel = await startRedisSentinel();
  const journal = await Journal.create();
  const backendEnv = {
    ...acceptance,
    REDIS_URL: '',
    REDIS_SENTINELS: sentinel.sentinels.map(({ host, port }) => `${host}:${port}`).join(),
    REDIS_SENTINEL_NAME: sentinel.name,
    JOURNAL: journal.path,
    JOURNAL_ACCEPTED: 'on',
  };
  const options = {
    backends: BACKENDS,
    cameras: CAMERAS,
    hosts: [
      {
        name: 'workers',
        workers: WORKERS,
        env: { DETECTIONS_PER_SECOND: String(PER_SECOND / CAMERAS) },
      },
    ],
    backendScript: JOURNALLED_BACKEND,
    backendEnv,
  };
  try {
    // Only the backends use Redis, and they ask the sentinel for its address.
    const redisUrl = sentinel.nodes[0]!.url;
    let figures: PartFigures | undefined;
    await ChaosStage.with({ ...context, redisUrl }, options, async (stage) => {
      figures = await run(context, stage, sentinel, journal, kills);
      return {
        ok: acceptance === ACCEPTANCE ? figures.lost + figures.outOfOrder === 0 : figures.outOfOrder === 0,
      };
    });
    return figures!;
  } finally {
    await journal.close();
    await sentinel.stop();
  }
}

async function run(
  { random, signal, progress }: ScenarioContext,
  stage: ChaosStage,
  sentinel: RedisSentinelService,
  journal: Journal,
  kills: number,
): Promise<PartFigures> {
  let maxOutageMs = 0;
  await goesOn(journal, signal);
  for (let kill = 1; kill <= kills; kill++) {
    await pause(random.between(...BETWEEN), signal);
    const master = await sentinel.master();
    const leader = await until(signal, 'one master of the backends', TIMEOUT, () => stage.cluster.master());
    const owners = stage.cluster.backends.filter((backend) => backend !== leader);
    const lag = (kills - kill) % 2 === 0 ? random.between(...LAG) : 0;
    if (lag > 0) await killBehind(sentinel, master, owners, lag, signal);
    else await master.kill();
    const killedAt = performance.now();
    const successor = await sentinel.promoted(master);
    const promotedMs = Math.round(performance.now() - killedAt);
    // The sentinel checks replicas every 10 s, so the old master may rejoin long after detections continue.
    const rejoined = rejoin(sentinel, master, successor, signal);
    rejoined.catch(() => undefined);
    await goesOn(journal, signal);
    const outage = Math.round(performance.now() - killedAt);
    await rejoined;
    maxOutageMs = Math.max(maxOutageMs, outage);
    progress(
      `kill ${kill} of ${kills}: replica ${lag} ms behind, promoted after ${promotedMs} ms, detections continue after ${outage} ms`,
    );
  }
  await pause(1_000, signal);
  await stage.hosts[0]!.process.crash();
  const verdict = () => judgeFailover(journal.accepted, journal.deliveries);
  await journal.read();
  for (let before = -1; before !== journal.deliveries.length && verdict().lost > 0;) {
    before = journal.deliveries.length;
    await until(signal, 'more deliveries', QUIET, async () => {
      await journal.read();
      return journal.deliveries.length > before ? true : null;
    }).catch(() => signal.throwIfAborted());
  }
  return { ...verdict(), accepted: journal.accepted.size, maxOutageMs };
}

/** Resolves when enough detections have been accepted and as many callbacks have started since the call. */
async function goesOn(journal: Journal, signal: AbortSignal): Promise<void> {
  await journal.read();
  const accepted = journal.accepted.size + GOING_ON;
  const deliveries = journal.deliveries.length + GOING_ON;
  await until(signal, 'detections to be accepted and delivered', TIMEOUT, async () => {
    await journal.read();
    return journal.accepted.size >= accepted && journal.deliveries.length >= deliveries ? true : null;
  });
}

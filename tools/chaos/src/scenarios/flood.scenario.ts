import { getAll, request } from '@detector-cluster/local-cluster';
import type { Delivery } from '@detector-cluster/history';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { residentMb } from '../support/resident-mb.js';
import { pause, until } from '../support/until.js';
import { FLOODS, type Flood } from './flood-kinds.js';

const BACKENDS = 2;
const WORKERS = 10;
const CAMERAS_EACH = 4;
const CAMERAS = (WORKERS + 1) * CAMERAS_EACH;
const MAX_GROWTH_MB = 64;
const SAMPLE = 250;

/** For how long a master may act without a confirmation: its event loop must never be blocked for so long by itself. Milliseconds. */
const MAX_BLOCK_MS = 400;

/** A full run has a rate and limits of its own. A short one runs beside others, which take the processor from the master. */
const FULL = { perStream: 50, mostP99Ms: 50, mostSuspended: 0, usual: 15_000, flood: 20_000 };
const SHORT = {
  perStream: 10,
  mostP99Ms: 2_000,
  mostSuspended: Number.POSITIVE_INFINITY,
  usual: 10_000,
  flood: 9_000,
};

interface WorkerEvent {
  readonly type: string;
  readonly url?: string;
  readonly reason?: string;
}

interface FloodFigures {
  /** Memory of the master beyond the most that it had before the floods. */
  readonly growthMb: number;
  readonly p99Ms: number;
  readonly perSecond: number;
}

/**
 * One of eleven workers sends far more than it should: large garbage, tiny frames, valid detections. The memory of the master, the
 * detections of the others, their state and the lease must not suffer.
 */
export function floodScenario(context: ScenarioContext): Promise<Figures> {
  const { perStream } = context.short ? SHORT : FULL;
  const env = { DETECTIONS_PER_SECOND: String(perStream) };
  const options = {
    backends: BACKENDS,
    cameras: CAMERAS,
    hosts: [
      { name: 'workers', workers: WORKERS, env },
      { name: 'flooder', workers: 1, env, script: 'tools/chaos/dist/bundle/flooder.child.js' },
    ],
    journal: true,
    backendEnv: {
      RECENT_DETECTIONS: '100',
      // Garbage is collected often enough to show its peak before the floods.
      NODE_OPTIONS: '--max-old-space-size=160',
      // Twice what the worker sends by itself.
      WORKER_DETECTIONS_PER_SECOND: String(2 * perStream * CAMERAS_EACH),
    },
  };
  return ChaosStage.with(context, options, (stage) => run(context, stage));
}

async function run({ short, signal, progress }: ScenarioContext, stage: ChaosStage): Promise<Figures> {
  const { mostP99Ms, mostSuspended, usual, flood: duration } = short ? SHORT : FULL;
  const { cluster } = stage;
  const flooder = stage.hosts[1]!.process;
  const url = stage.links.at(-1)!.url;
  const master = await until(signal, 'one master', () => cluster.master());
  // It floods with detections of its own subscriptions.
  await until(signal, 'the worker to have subscriptions', async () =>
    [...(await stage.placements()).values()].includes(url),
  );
  const suspendedBefore = await suspensions(stage);

  /** Watches for a while: the most memory that the master had, and the detections of the other workers. */
  const watch = async (ms: number) => {
    const from = Date.now();
    let mostMb = 0;
    while (Date.now() < from + ms) {
      mostMb = Math.max(mostMb, await residentMb(master.pid));
      await pause(SAMPLE, signal);
    }
    const to = Date.now();
    // All deliveries until then are in the history by now.
    await pause(1_000, signal);
    stage.history.read();
    const others = stage.history.deliveries.filter(
      ({ takenAt, workerUrl }) => takenAt >= from && takenAt < to && workerUrl !== url,
    );
    return { mostMb, p99Ms: p99(others), perSecond: Math.round((others.length * 1_000) / (to - from)) };
  };

  await pause(usual, signal);
  const floodsFrom = Date.now() + usual;
  const before = await watch(usual);
  progress(`without a flood: ${JSON.stringify(before)}`);
  const floods: Partial<Record<Flood, FloodFigures>> = {};
  for (const kind of Object.keys(FLOODS) as Flood[]) {
    await request(flooder.url, 'POST', `/flood/${kind}`);
    const { mostMb, ...others } = await watch(duration);
    await request(flooder.url, 'POST', '/flood/none');
    floods[kind] = { growthMb: Math.max(0, mostMb - before.mostMb), ...others };
    progress(`${kind}: ${JSON.stringify(floods[kind])}`);
    if (floods[kind].growthMb > MAX_GROWTH_MB) break;
    // It works as before once it no longer floods.
    const stoppedAt = Date.now();
    await stage.allReady(
      ({ lastHeartbeat, url: each }) => each === url || Date.parse(lastHeartbeat) > stoppedAt,
      undefined,
      ['Ready', 'Quarantined'],
    );
  }
  const all = Object.values(floods);
  const { workers } = await cluster.state();
  const { excess } = workers.find((worker) => worker.url === url)!;
  const events = await cluster.ask((backend) => getAll<WorkerEvent>(backend, '/api/cluster/events'));
  const falselyOffline = events.filter(
    (event) => event.type === 'worker-offline' && event.url !== url,
  ).length;
  const quarantined = events.some((event) => event.url === url && event.reason === 'flooding');
  const suspended = (await suspensions(stage)) - suspendedBefore;
  const sameMaster = (await cluster.master()) === master;
  const blocks = stage.history.stalls
    .filter(({ at, process }) => process === master.pid && at > floodsFrom)
    .map(({ ms, waited }) => ms - waited);
  const maxBlockMs = Math.max(0, ...blocks);
  const maxGrowthMb = Math.max(...all.map(({ growthMb }) => growthMb));
  const maxP99Ms = Math.max(...all.map(({ p99Ms }) => p99Ms));
  return {
    ok:
      maxGrowthMb <= MAX_GROWTH_MB &&
      maxP99Ms < mostP99Ms &&
      suspended <= mostSuspended &&
      maxBlockMs < MAX_BLOCK_MS &&
      falselyOffline === 0 &&
      sameMaster &&
      quarantined &&
      // Without these, the worker has not exceeded its budget, and nothing has been tested.
      excess !== null &&
      excess.pauses > 0 &&
      excess.dropped > 0,
    maxGrowthMb,
    maxP99Ms,
    suspended,
    maxBlockMs,
    falselyOffline,
    quarantined,
    sameMaster,
    usual: before,
    ...floods,
    excess,
  };
}

/** How often masters have been suspended that still run. */
async function suspensions({ cluster }: ChaosStage): Promise<number> {
  const counts = await Promise.all(
    cluster.backends.map(async ({ url }) => {
      const text = await fetch(`${url}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      return Number(/^master_election_suspended_total\S* (\d+)$/m.exec(text)?.[1] ?? 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** From the instant at which the worker took the picture to the start of the callback, at the slow end. */
function p99(deliveries: readonly Delivery[]): number {
  const took = deliveries.map(({ at, takenAt }) => at - takenAt).sort((a, b) => a - b);
  return took[Math.max(0, Math.ceil(took.length * 0.99) - 1)] ?? Number.POSITIVE_INFINITY;
}

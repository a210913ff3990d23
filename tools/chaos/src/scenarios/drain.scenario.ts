import { withPostgres } from '@detector-cluster/dev-services';
import { request } from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import type { WorkerLink } from '../support/worker-link.js';
import { pause, until } from '../support/until.js';
import { describeGap, longestGap } from './longest-gap.js';

const BACKENDS = 3;
const WORKERS = 3;
const PER_SECOND = 10;
const MAX_GAP_MS = 500;
/** Duration of the undisturbed time before the drain, which shows the gaps from machine and rate alone. Milliseconds. */
const BASELINE = 3_000;

/**
 * Drains a worker that runs everything while the others run nothing. Gaps are measured at the callbacks: from one detection of
 * a subscription to the next, on any worker.
 */
export function drainScenario(context: ScenarioContext): Promise<Figures> {
  const subscriptions = context.short ? 20 : 100;
  const env = { DETECTIONS_PER_SECOND: String(PER_SECOND), CAPACITY: '100' };
  const options = {
    backends: BACKENDS,
    cameras: 0,
    spareCameras: subscriptions,
    hosts: [{ name: 'workers', workers: WORKERS, env }],
    journal: true,
  };
  return ChaosStage.with(context, options, (stage) => run(context, stage, subscriptions));
}

async function run(
  { signal, progress }: ScenarioContext,
  stage: ChaosStage,
  count: number,
): Promise<Figures> {
  const { history } = stage;
  const [full, ...others] = stage.links as [WorkerLink, ...WorkerLink[]];
  for (const other of others) await stage.operate('cordon', other);
  await fill(stage, count);
  await stage.allActive(count);
  const ids = [...(await stage.placements()).keys()];
  for (const other of others) await stage.operate('uncordon', other);
  await pause(BASELINE, signal);

  const drainedAt = Date.now();
  await stage.operate('drain', full);
  progress(`draining a worker with ${count} subscriptions`);
  await until(signal, 'the worker to be empty', async () => {
    const { streams } = await full.stats();
    if (streams.length === 0) return true;
    throw new Error(`the drained worker still has ${streams.length} streams`);
  });
  const drainMs = Date.now() - drainedAt;
  await stage.allActive(count);
  await pause(1_000, signal);
  const end = Date.now();
  // All deliveries until then are in the history by now.
  await pause(500, signal);
  history.read();
  const placements = [...(await stage.placements()).values()];
  const left = placements.filter((url) => url === full.url).length;
  const gap = longestGap(history.deliveries, ids, drainedAt, end);
  const maxGapMs = gap.ms;
  progress(describeGap(gap));
  return {
    ok: maxGapMs < MAX_GAP_MS && ids.length === count && left === 0,
    maxGapMs,
    /** Longest gap before the drain. */
    usualGapMs: longestGap(history.deliveries, ids, drainedAt - BASELINE, drainedAt).ms,
    drainMs,
    subscriptions: count,
    left,
    perSecond: PER_SECOND,
  };
}

/** Gives every camera a display. */
async function fill({ cluster }: ChaosStage, count: number): Promise<void> {
  const { rowCount } = await withPostgres(cluster.databaseUrl, (client) =>
    client.query(`
      insert into "Display" ("displayId", "cameraIdentifier", "playlistId", "updatedAt")
        select 'display-' || c.id, c."cameraIdentifier", p.id, now() from "Camera" c, "Playlist" p`),
  );
  if (rowCount !== count) throw new Error(`${rowCount} displays instead of ${count}`);
  await request(cluster.backends[0]!.url, 'POST', '/api/cluster/rebalance', undefined, 30_000);
}

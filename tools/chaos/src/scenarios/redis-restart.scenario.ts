import { recentDetections } from '@detector-cluster/local-cluster';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { pause, until } from '../support/until.js';

const BACKENDS = 3;
const WORKERS = 3;
const MAX_REBUILD_MS = 10_000;

/**
 * Redis is killed and started again without its data. Rebuilt: there is one master, it has a report of every worker, every
 * subscription runs, and a detection of each has reached a callback. Verified, later and one by one: the master has sent every
 * subscription again, because Redis no longer has the parameters that the workers got.
 */
export async function redisRestartScenario(context: ScenarioContext): Promise<Figures> {
  const cameras = context.short ? 6 : 30;
  const options = {
    backends: BACKENDS,
    cameras,
    ownRedis: {},
    hosts: [{ name: 'workers', workers: WORKERS, env: { DETECTIONS_PER_SECOND: '2' } }],
    backendEnv: { RECENT_DETECTIONS: '500' },
  };
  return ChaosStage.with(context, options, async (stage) => {
    const { signal, short, progress } = context;
    const rounds: Round[] = [];
    const count = short ? 1 : 5;
    while (rounds.length < count) {
      rounds.push(await restart(stage, cameras, signal));
      progress(`restart ${rounds.length} of ${count}: ${JSON.stringify(rounds.at(-1))}`);
      if (rounds.length < count) await pause(3_000, signal);
    }
    const rebuildMs = Math.max(...rounds.map((round) => round.rebuildMs));
    const verifiedMs = Math.max(...rounds.map((round) => round.verifiedMs));
    const moves = rounds.reduce((sum, round) => sum + round.moves, 0);
    const workerCommands = rounds.reduce((sum, round) => sum + round.workerCommands, 0);
    return {
      ok: rebuildMs < MAX_REBUILD_MS && moves === 0,
      rebuildMs,
      verifiedMs,
      moves,
      workerCommands,
      subscriptions: cameras,
      restarts: count,
    };
  });
}

interface Round {
  /** Time from the kill of Redis until everything is rebuilt. */
  readonly rebuildMs: number;
  /** Time from the kill until every stream is verified. */
  readonly verifiedMs: number;
  /** Subscriptions that run on another worker than before. */
  readonly moves: number;
  readonly workerCommands: number;
}

async function restart(stage: ChaosStage, cameras: number, signal: AbortSignal): Promise<Round> {
  const { cluster } = stage;
  const before = await stage.placements();
  const commands = await stage.commandsTaken();
  const start = performance.now();
  const restartedAt = Date.now();
  await stage.redis!.restart();
  await until(signal, 'one master', () => cluster.master());
  const ran = new Set<string>();
  await until(signal, 'every subscription to be seen running', async () => {
    for (const [id, { status }] of await stage.subscriptions()) if (status === 'active') ran.add(id);
    return ran.size === cameras;
  });
  await stage.allReady(({ lastHeartbeat }) => Date.parse(lastHeartbeat) > restartedAt);
  await until(signal, 'a detection of every subscription that was made since', async () => {
    const recent = (await recentDetections(cluster.backends)).filter(
      ({ timestamp }) => Date.parse(timestamp) > restartedAt,
    );
    const heard = new Set(recent.map(({ subscriptionIdentifier }) => subscriptionIdentifier));
    return heard.size === cameras;
  });
  const rebuildMs = Math.round(performance.now() - start);
  await until(signal, 'every stream to be verified', async () => {
    const all = [...(await stage.subscriptions()).values()];
    return all.every(({ status, reason }) => status === 'active' && reason === 'streaming');
  });
  const verifiedMs = Math.round(performance.now() - start);
  const after = await stage.placements();
  const moves = [...before].filter(([id, url]) => after.get(id) !== url).length;
  return { rebuildMs, verifiedMs, moves, workerCommands: (await stage.commandsTaken()) - commands };
}

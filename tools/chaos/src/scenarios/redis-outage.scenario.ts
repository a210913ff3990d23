import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { pause, until } from '../support/until.js';

const BACKENDS = 3;
/** How long a new master is watched, because an unneeded command would come then. Milliseconds. */
const AFTERMATH = 6_000;
/** How often the streams are counted in the outage. Milliseconds. */
const COUNT_EVERY = 1_000;

/**
 * Redis is frozen for much longer than workers keep their streams without a connection. A quarter of the workers does not know terms,
 * so it closes no connection by itself.
 */
export async function redisOutageScenario(context: ScenarioContext): Promise<Figures> {
  const { short, signal, progress } = context;
  const outageMs = short ? 8_000 : 300_000;
  const cameras = short ? 40 : 400;
  const env = {
    DETECTIONS_PER_SECOND: '1',
    CAPACITY: '100',
    LINGER_MS: String(short ? 2_000 : 15_000),
  };
  const hosts = [
    { name: 'fencing', workers: 6, env: { ...env, FENCING: 'on' } },
    { name: 'legacy', workers: 2, env: { ...env, FENCING: 'off' } },
  ];
  const options = { backends: BACKENDS, cameras, ownRedis: {}, hosts };
  return ChaosStage.with(context, options, async (stage) => {
    const { cluster, links } = stage;
    const commands = await stage.commandsSettled(2_000);
    const placements = await stage.placements();
    const before = await stage.streams();
    const redis = stage.redis!;
    let fewest = before.size;

    const frozenAt = Date.now();
    redis.pause();
    try {
      for (const end = performance.now() + outageMs; performance.now() < end;) {
        await pause(COUNT_EVERY, signal);
        fewest = Math.min(fewest, (await stage.streams()).size);
      }
    } finally {
      redis.resume();
    }
    progress(`Redis is back after ${outageMs} ms; at least ${fewest} of ${before.size} streams ran`);
    await until(signal, 'one master', () => cluster.master());
    await stage.allReady(({ lastHeartbeat }) => Date.parse(lastHeartbeat) > frozenAt + outageMs);
    await stage.allActive(cameras);
    await until(signal, 'one connection to each worker', async () =>
      (await Promise.all(links.map((link) => link.stats()))).every(
        ({ connections }) => connections.length === 1,
      ),
    );
    await pause(AFTERMATH, signal);
    const after = await stage.streams();
    const moved = await stage.placements();
    const reopened = [...before].filter((stream) => !after.has(stream)).length;
    const moves = [...placements].filter(([id, url]) => moved.get(id) !== url).length;
    const workerCommands = (await stage.commandsTaken()) - commands;
    return {
      ok:
        before.size === cameras &&
        fewest === cameras &&
        reopened === 0 &&
        moves === 0 &&
        workerCommands === 0,
      streams: before.size,
      fewest,
      reopened,
      moves,
      workerCommands,
      outageMs,
      ...(await losses(stage)),
    };
  });
}

/** Detections that were dropped, over all backends. */
async function losses({ cluster }: ChaosStage): Promise<{ bufferFull: number; termEnded: number }> {
  const texts = await Promise.all(
    cluster.backends.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  );
  const sum = (reason: string) =>
    texts
      .flatMap((text) => [
        ...text.matchAll(
          new RegExp(`^detector_cluster_detections_dropped_total\\{[^}]*"${reason}"[^}]*\\} (\\d+)`, 'gm'),
        ),
      ])
      .reduce((total, [, count]) => total + Number(count), 0);
  return { bufferFull: sum('buffer-full'), termEnded: sum('term-ended') };
}

import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage } from '../support/chaos-stage.js';
import { DialMeter } from '../support/dial-meter.js';
import { residentMb } from '../support/resident-mb.js';
import { pause, until } from '../support/until.js';

const BACKENDS = 3;
/** A master may have at most this many dials in flight. */
const MAX_DIALS = 16;
/** How long a worker takes to answer a dial, so that dials overlap. Milliseconds. */
const HANDSHAKE = 500;
const MAX_GROWTH_MB = 64;
/** Milliseconds. */
const SAMPLE = 1_000;

/** Times in milliseconds. A short run has other programs beside it. */
const FULL = { workers: 100, usual: 30_000, outage: 420_000, mostBackMs: 10_000 };
const SHORT = { workers: 20, usual: 5_000, outage: 20_000, mostBackMs: 30_000 };

/**
 * Redis is down for seven minutes, so that all backends try to connect again and again, and no process is master. When it is back with
 * its data, all must be as before within seconds, without a herd of dials, and no backend may have grown in the meantime.
 */
export function outage7MinScenario(context: ScenarioContext): Promise<Figures> {
  const { workers } = context.short ? SHORT : FULL;
  const dials = new DialMeter();
  const options = {
    backends: BACKENDS,
    cameras: 2 * workers,
    ownRedis: { persistence: true },
    hosts: [{ name: 'workers', workers, env: { DETECTIONS_PER_SECOND: '1' } }],
    link: { handshakeDelay: HANDSHAKE, dials },
    // Garbage is collected often enough to show the memory that is used.
    backendEnv: { RECENT_DETECTIONS: '100', NODE_OPTIONS: '--max-old-space-size=160' },
  };
  return ChaosStage.with(context, options, (stage) => run(context, stage, dials));
}

async function run(
  { short, signal, progress }: ScenarioContext,
  stage: ChaosStage,
  dials: DialMeter,
): Promise<Figures> {
  const { workers, usual, outage, mostBackMs } = short ? SHORT : FULL;
  const { backends } = stage.cluster;
  const redis = stage.redis!;
  /** The most memory that any backend has within a time. */
  const watch = async (ms: number): Promise<number> => {
    let most = 0;
    for (const end = performance.now() + ms; performance.now() < end;) {
      most = Math.max(most, ...(await Promise.all(backends.map(({ pid }) => residentMb(pid)))));
      await pause(SAMPLE, signal);
    }
    return most;
  };

  const commands = await stage.commandsSettled(2_000);
  const placements = await stage.placements();
  const streams = await stage.streams();
  const before = await watch(usual);
  progress(`backends have had at most ${before} MB; Redis ends`);
  await redis.crash();
  const during = await watch(outage);
  progress(`backends have had at most ${during} MB; Redis starts`);
  dials.reset();
  await redis.start();
  const back = performance.now();
  const backAt = Date.now();
  await until(signal, 'one master', () => stage.cluster.master());
  await stage.allReady(({ lastHeartbeat }) => Date.parse(lastHeartbeat) > backAt);
  await stage.allActive(2 * workers);
  const backMs = Math.round(performance.now() - back);
  const after = await watch(usual);

  const moved = await stage.placements();
  const streamsAfter = await stage.streams();
  // Another backend may be master now, and needs what the master before needed.
  const growthMb = Math.max(0, during - before, after - before);
  const figures = {
    backMs,
    maxDialsInFlight: dials.max,
    growthMb,
    moves: [...placements].filter(([id, url]) => moved.get(id) !== url).length,
    reopened: [...streams].filter((stream) => !streamsAfter.has(stream)).length,
    workerCommands: (await stage.commandsTaken()) - commands,
  };
  return {
    ok:
      backMs <= mostBackMs &&
      // If few dials are in flight, the limit has no effect, and nothing has been measured.
      dials.max <= MAX_DIALS &&
      dials.max > MAX_DIALS / 2 &&
      growthMb <= MAX_GROWTH_MB &&
      figures.moves + figures.reopened + figures.workerCommands === 0,
    ...figures,
    workers,
    outageMs: outage,
  };
}

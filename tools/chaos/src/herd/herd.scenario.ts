import type { Figures, ScenarioContext } from '../scenario.js';
import { DialMeter } from '../support/dial-meter.js';
import { Stage } from '../support/stage.js';

const BACKENDS = 2;
/** What a master may dial at the same time. */
const MOST_DIALS = 16;
const MOST_READY_MS = 35_000;
/** A worker takes its time to answer, so that dials are under way for long enough to be counted. Milliseconds. */
const HANDSHAKE = 500;

/**
 * Every worker is killed and started again at the same instant. Dials are counted on the network between, from the start of
 * the first master on.
 */
export async function herdScenario(context: ScenarioContext): Promise<Figures> {
  const workers = context.short ? 40 : 100;
  const dials = new DialMeter();
  const options = {
    backends: BACKENDS,
    cameras: 2 * workers,
    hosts: [{ name: 'workers', workers, env: { DETECTIONS_PER_SECOND: '0' } }],
    link: { handshakeDelay: HANDSHAKE, dials },
  };
  return Stage.with(context, options, async (stage) => {
    const start = performance.now();
    const restartedAt = Date.now();
    await stage.hosts[0]!.process.restart();
    const upMs = Math.round(performance.now() - start);
    context.progress(`the workers listen again after ${upMs} ms`);
    await stage.allReady(({ connectedAt }) => Date.parse(connectedAt) > restartedAt);
    const readyMs = Math.round(performance.now() - start);
    await stage.allActive(2 * workers);
    const activeMs = Math.round(performance.now() - start);
    const maxDialsInFlight = dials.max;
    return {
      // A master that begins dials everybody at once: where even then few are counted, nothing has been measured.
      ok: maxDialsInFlight <= MOST_DIALS && maxDialsInFlight > MOST_DIALS / 2 && readyMs < MOST_READY_MS,
      maxDialsInFlight,
      readyMs,
      activeMs,
      upMs,
      workers,
    };
  });
}

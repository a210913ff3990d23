import type { Figures, ScenarioContext } from '../scenario.js';
import { DialMeter } from '../support/dial-meter.js';
import { ChaosStage } from '../support/chaos-stage.js';

const BACKENDS = 2;
/** A master may have at most this many dials in flight. */
const MAX_DIALS = 16;
const MAX_READY_MS = 35_000;
/**
 * How long a worker takes to answer a dial. The jittered backoff alone spreads the dials. With dials this long, many would be in
 * flight at the same time without the master's limit. Less than its dial timeout of 3 s. Milliseconds.
 */
const HANDSHAKE = 2_000;

/**
 * Kills all workers and restarts them at the same instant. Dials are counted on the network in between, from the restart on.
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
  return ChaosStage.with(context, options, async (stage) => {
    dials.reset();
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
      // If few dials are in flight, the limit has no effect, and nothing has been measured.
      ok: maxDialsInFlight <= MAX_DIALS && maxDialsInFlight > MAX_DIALS / 2 && readyMs < MAX_READY_MS,
      maxDialsInFlight,
      readyMs,
      activeMs,
      upMs,
      workers,
    };
  });
}

import { percentile } from '../support/percentile.js';
import { progress } from '../support/process-figures.js';
import { summarise, type Round } from './delivery-figures.js';
import { DeliveryStage } from './delivery-stage.js';

/** Detections per second at which latencies are measured. */
const RATE = 10_000;
/** Milliseconds. */
const STEADY = 3_000;
const FLOOD = 2_000;
const BARE = 1_500;
/** New processes run slower at first. Milliseconds. */
const WARM_UP = 2_000;

export interface DeliveryOptions {
  readonly deliveryRounds: number;
  /** How many detections are lost on purpose, to check that the benchmark notices. */
  readonly misroute: number;
}

/**
 * Measures an application, from the frames of 20 workers with 2,000 subscriptions to callbacks in two processes, beside a bare
 * loop with the same frames: XADD in pipelines, XREAD, JSON.parse, XDEL.
 *
 * The paths take turns in each round, because the speed of the machine changes.
 */
export async function deliveryBench({ deliveryRounds, misroute }: DeliveryOptions) {
  const stage = await DeliveryStage.start();
  try {
    const { cluster, bare, bareWithSockets } = stage;
    progress(`delivery: the host of the workers sends up to ${stage.sender.perSecond} a second`);
    for (const path of [cluster, bare, bareWithSockets]) await path.flood(WARM_UP);
    const rounds: Round[] = [];
    await stage.misroute(misroute);
    for (let i = 1; i <= deliveryRounds; i++) {
      const round: Round = {
        steady: await cluster.steady(RATE, STEADY),
        bareSteady: await bareWithSockets.steady(RATE, BARE),
        flood: await cluster.flood(FLOOD),
        bare: await bare.flood(BARE),
        bareWithSockets: await bareWithSockets.flood(BARE),
      };
      await stage.assertMaster();
      rounds.push(round);
      const { steady, flood } = round;
      progress(
        `delivery: round ${i} of ${deliveryRounds}: ${flood.perSecond}/s, bare ${round.bare.perSecond}/s, with sockets ` +
          `${round.bareWithSockets.perSecond}/s; P99 ${percentile(steady.latencies, 0.99)} ms at ${RATE}/s`,
      );
    }
    const figures = summarise(rounds, stage.sender);
    if (figures.lost > 0) process.exitCode = 1;
    return { bench: 'delivery', rate: RATE, ...figures };
  } finally {
    await stage.stop();
  }
}

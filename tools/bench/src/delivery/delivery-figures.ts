import { median, percentile, sum } from '../support/percentile.js';
import type { CpuCost, Phase } from './delivery-path.js';

/** The phases of one round. */
export interface Round {
  /** The application, at a steady rate and at its highest rate. */
  readonly steady: Phase;
  readonly flood: Phase;
  /** The application at a tenth of the steady rate. */
  readonly slow: Phase;
  /** The bare loop, in the same ways. */
  readonly bareSteady: Phase;
  readonly bare: Phase;
  /** A bare loop whose entries have many detections each, at its highest rate. */
  readonly batched: Phase;
}

/** The sender is not the limit if it waited for a full window during at least this part of the time. */
const SENDER_IDLE = 0.2;

/** Makes the printed figures: medians over all rounds, but sums for `lost`, `duplicates` and `waitedMs`. */
export function summarise(rounds: readonly Round[]) {
  const of = (key: keyof Round) => rounds.map((round) => round[key]);
  const rate = (key: keyof Round) => median(of(key).map(({ perSecond }) => perSecond));
  const p99s = of('steady').map(({ latencies }) => percentile(latencies, 0.99));
  const waits = of('steady').map(({ waitedMs }) => waitedMs);
  const heldUp = median(of('flood').map((phase) => phase.heldUp));
  const total = (key: 'lost' | 'duplicates') =>
    sum(rounds.flatMap((round) => (Object.values(round) as Phase[]).map((phase) => phase[key])));
  return {
    cpuUs: costs(of('flood')),
    cpuUsAt10k: costs(of('steady')),
    ratio: median(rounds.map(({ flood, bare }) => flood.perSecond / bare.perSecond)),
    ratioToBatches: median(rounds.map(({ flood, batched }) => flood.perSecond / batched.perSecond)),
    maxPerSecond: rate('flood'),
    bareMaxPerSecond: rate('bare'),
    batchedMaxPerSecond: rate('batched'),
    bareCpuUs: costs(of('bare'), 'writer', 'readers'),
    batchedCpuUs: costs(of('batched'), 'writer', 'readers'),
    bareCpuUsAt10k: costs(of('bareSteady'), 'writer', 'readers'),
    p50Ms: median(of('steady').map(({ latencies }) => percentile(latencies, 0.5))),
    p99Ms: median(p99s),
    worstRoundP99Ms: Math.max(...p99s),
    p99MsAt1k: median(of('slow').map(({ latencies }) => percentile(latencies, 0.99))),
    bareP99Ms: median(of('bareSteady').map(({ latencies }) => percentile(latencies, 0.99))),
    lost: total('lost'),
    duplicates: total('duplicates'),
    senderCpuUs: median(of('flood').map(({ senderCpuUs }) => senderCpuUs)),
    senderHeldUp: heldUp,
    senderLagP99Ms: median(of('steady').map(({ lagP99 }) => lagP99)),
    senderLimited: heldUp < SENDER_IDLE,
    waitedMs: waits.includes(null) ? null : sum(waits as number[]),
    rounds: rounds.map(listed),
  };
}

function costs(phases: readonly Phase[], writer = 'master', readers = 'consumers') {
  const cost = (of: (cpu: CpuCost) => number) => median(phases.map(({ cpuUs }) => of(cpuUs)));
  return {
    [writer]: cost((cpu) => cpu.writer),
    [readers]: cost((cpu) => cpu.readers),
    redis: cost((cpu) => cpu.redis),
    all: cost((cpu) => cpu.writer + cpu.readers + cpu.redis),
  };
}

/** Returns the figures of one round. */
function listed({ steady, slow, flood, bare, batched }: Round) {
  return {
    p50Ms: percentile(steady.latencies, 0.5),
    p99Ms: percentile(steady.latencies, 0.99),
    waitedMs: steady.waitedMs,
    steadyPerSecond: steady.perSecond,
    perSecond: flood.perSecond,
    p99MsAt1k: percentile(slow.latencies, 0.99),
    barePerSecond: bare.perSecond,
    batchedPerSecond: batched.perSecond,
  };
}

export interface Arrivals {
  /** Detections that no receiver got. */
  readonly lost: number;
  /** Detections that arrived more than once, or after their phase. */
  readonly duplicates: number;
}

/**
 * Compares the detections of all receivers together with the sent ones.
 * @param lists numbers of the detections that each receiver got
 * @param first number of the first detection sent
 * @param isExpected whether a number should have arrived; default all
 */
export function countReceipts(
  lists: readonly (readonly number[])[],
  first: number,
  sent: number,
  isExpected: (n: number) => boolean = () => true,
): Arrivals {
  const seen = new Uint8Array(sent);
  let [lost, duplicates] = [0, 0];
  for (const n of lists.flat()) {
    if (n < first || seen[n - first] === 1) duplicates++;
    else seen[n - first] = 1;
  }
  for (const [index, arrived] of seen.entries()) if (!arrived && isExpected(first + index)) lost++;
  return { lost, duplicates };
}

import { median, percentile, sum } from '../support/percentile.js';
import type { CpuCost, Phase } from './delivery-path.js';
import type { SenderFigures } from './delivery-stage.js';

/** The phases of one round. */
export interface Round {
  /** The application, at a steady rate and at its highest rate. */
  readonly steady: Phase;
  readonly flood: Phase;
  /** The bare loop at the same steady rate, with sockets. */
  readonly bareSteady: Phase;
  /** The bare loops at their highest rates. */
  readonly bare: Phase;
  readonly bareWithSockets: Phase;
}

/** The sender is not the limit if its own maximum is this many times the rate of the application … */
const SENDER_MARGIN = 1.25;
/** … and if it waited for a full window during at least this part of the time. */
const SENDER_IDLE = 0.2;

/** Makes the printed figures: medians over all rounds, but sums for `lost`, `duplicates` and `waitedMs`. */
export function summarise(rounds: readonly Round[], sender: SenderFigures) {
  const of = (key: keyof Round) => rounds.map((round) => round[key]);
  const rate = (key: keyof Round) => median(of(key).map(({ perSecond }) => perSecond));
  const ratio = (key: keyof Round) =>
    median(rounds.map((round) => round.flood.perSecond / round[key].perSecond));
  const p99s = of('steady').map(({ latencies }) => percentile(latencies, 0.99));
  const waits = of('steady').map(({ waitedMs }) => waitedMs);
  const maxPerSecond = rate('flood');
  const heldUp = median(of('flood').map((phase) => phase.heldUp));
  const total = (key: 'lost' | 'duplicates') =>
    sum(rounds.flatMap((round) => (Object.values(round) as Phase[]).map((phase) => phase[key])));
  return {
    cpuUs: costs(of('flood')),
    cpuUsAt10k: costs(of('steady')),
    ratio: ratio('bareWithSockets'),
    ratioWithoutSockets: ratio('bare'),
    maxPerSecond,
    bareMaxPerSecond: rate('bareWithSockets'),
    bareWithoutSocketsMaxPerSecond: rate('bare'),
    bareCpuUs: costs(of('bareWithSockets'), 'writer', 'readers'),
    bareCpuUsAt10k: costs(of('bareSteady'), 'writer', 'readers'),
    p50Ms: median(of('steady').map(({ latencies }) => percentile(latencies, 0.5))),
    p99Ms: median(p99s),
    worstRoundP99Ms: Math.max(...p99s),
    bareP99Ms: median(of('bareSteady').map(({ latencies }) => percentile(latencies, 0.99))),
    lost: total('lost'),
    duplicates: total('duplicates'),
    senderMax: sender.perSecond,
    senderCpuUs: median(of('flood').map(({ senderCpuUs }) => senderCpuUs)),
    senderHeldUp: heldUp,
    senderLagP99Ms: median(of('steady').map(({ lagP99 }) => lagP99)),
    senderLimited: sender.perSecond < SENDER_MARGIN * maxPerSecond || heldUp < SENDER_IDLE,
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
function listed({ steady, flood, bare, bareWithSockets }: Round) {
  return {
    p50Ms: percentile(steady.latencies, 0.5),
    p99Ms: percentile(steady.latencies, 0.99),
    waitedMs: steady.waitedMs,
    steadyPerSecond: steady.perSecond,
    perSecond: flood.perSecond,
    barePerSecond: bareWithSockets.perSecond,
    bareWithoutSocketsPerSecond: bare.perSecond,
  };
}

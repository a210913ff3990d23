import type { AppProcess } from '@detector-cluster/local-cluster';
import { type FailoverVerdict, judgeFailover } from '../delivery/verdict.js';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage, type ChaosStageOptions } from './chaos-stage.js';
import { goesOn, untilDelivered } from './going-on.js';
import { MasterWatch } from './master-watch.js';
import { until } from './until.js';

const BACKENDS = 3;
const WORKERS = 2;
/** `camera-1` … run. */
export const CAMERAS = 20;
const PER_SECOND = 500;
const TIMEOUT = 60_000;

export interface FaultFigures extends FailoverVerdict {
  /** See {@link MasterWatch.rivals}. */
  readonly rivals: number;
  /** How often another process became master, or the same one again. */
  readonly changes: number;
  /** From the end of the fault until one process was master. Milliseconds. */
  readonly backMs: number;
  /** From the end of the fault until enough was accepted and delivered again. Milliseconds. */
  readonly recoveredMs: number;
  readonly accepted: number;
}

/** What a fault can use. */
export interface Faulted {
  readonly stage: ChaosStage;
  readonly watch: MasterWatch;
  /** Ids of detections that may be lost. The fault adds those that nothing can bring back. */
  readonly forgotten: Set<string>;
}

type FaultOptions = Pick<
  ChaosStageOptions,
  'ownRedis' | 'backendEnv' | 'backendPrefix' | 'prepare' | 'redisLinks' | 'spareCameras'
>;

/**
 * Lets 500 detections a second flow while a fault lasts, and afterwards.
 * @param fault begins and ends the fault. What it resolves with is added to the figures.
 * @param holds judges the figures beside what holds over every fault: nothing lost, in order, no two masters at a time
 */
export async function deliverThrough<Extra extends object>(
  context: ScenarioContext,
  options: FaultOptions,
  fault: (faulted: Faulted) => Promise<Extra>,
  holds: (figures: FaultFigures & Extra) => boolean,
): Promise<Figures & FaultFigures & Extra> {
  const { signal } = context;
  const all = {
    ...options,
    ownRedis: options.ownRedis ?? {},
    backends: BACKENDS,
    cameras: CAMERAS,
    hosts: [
      { name: 'workers', workers: WORKERS, env: { DETECTIONS_PER_SECOND: String(PER_SECOND / CAMERAS) } },
    ],
    journal: true,
    backendEnv: { ...options.backendEnv, JOURNAL_ACCEPTED: 'on' },
  };
  const figures = await ChaosStage.with(context, all, async (stage) => {
    const { cluster, journal } = stage;
    const watch = new MasterWatch(cluster.backends);
    const forgotten = new Set<string>();
    const verdict = () =>
      judgeFailover(new Set([...journal.accepted].filter((id) => !forgotten.has(id))), journal.deliveries);
    try {
      await goesOn(journal, signal);
      const extra = await fault({ stage, watch, forgotten });
      const relief = performance.now();
      await until(signal, 'one master', TIMEOUT, () => watch.master);
      const backMs = Math.round(performance.now() - relief);
      await goesOn(journal, signal);
      const recoveredMs = Math.round(performance.now() - relief);
      await stage.hosts[0]!.process.crash();
      await untilDelivered(journal, verdict, signal);
      const { rivals, changes } = watch;
      const accepted = journal.accepted.size;
      const measured = { ...verdict(), rivals, changes, backMs, recoveredMs, accepted, ...extra };
      const { lost, outOfOrder } = measured;
      return { ok: lost + outOfOrder + rivals === 0 && holds(measured), ...measured };
    } finally {
      await watch.end();
    }
  });
  return figures as Figures & FaultFigures & Extra;
}

/** The only master, or another backend. */
export async function backendThatIs(
  who: 'master' | 'follower',
  { stage, watch }: Faulted,
  signal: AbortSignal,
): Promise<AppProcess> {
  const master = await until(signal, 'one master', TIMEOUT, () => watch.master);
  return who === 'master' ? master : stage.cluster.backends.find((each) => each !== master)!;
}

/** The figures of a scenario with several parts: their sums, their worst, and each part by name. */
export function summary(parts: Readonly<Record<string, Figures & FaultFigures>>): Figures {
  const all = Object.values(parts);
  const sum = (name: 'lost' | 'outOfOrder' | 'rivals') =>
    all.reduce((total, figures) => total + figures[name], 0);
  return {
    ok: all.every(({ ok }) => ok),
    lost: sum('lost'),
    outOfOrder: sum('outOfOrder'),
    rivals: sum('rivals'),
    backMs: Math.max(...all.map(({ backMs }) => backMs)),
    ...parts,
  };
}

import type { AppProcess } from '@detector-cluster/local-cluster';
import { checkHistory, type FailoverVerdict } from '@detector-cluster/history';
import type { Figures, ScenarioContext } from '../scenario.js';
import { ChaosStage, type ChaosStageOptions } from './chaos-stage.js';
import { endSending } from './end-sending.js';
import { goesOn, untilDelivered } from './going-on.js';
import { MasterWatch } from './master-watch.js';
import { until } from './until.js';

const BACKENDS = 3;
const WORKERS = 2;
/** `camera-1` … run. */
export const CAMERAS = 20;
const PER_SECOND = 500;

export interface FaultFigures extends FailoverVerdict {
  /** How often a backend called itself master between two answers of another one that did so as well. */
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
}

interface FaultOptions extends Pick<
  ChaosStageOptions,
  'ownRedis' | 'backendEnv' | 'backendPrefix' | 'prepare' | 'redisLinks' | 'spareCameras'
> {
  /** What the history has to show. Default: {@link PROMISES}. */
  readonly promises?: readonly string[];
}

/** Milliseconds. A worker that a broken master cannot reach keeps what it has made. */
const CONFIRMED_WITHIN = 60_000;

/** What holds over every fault. */
export const PROMISES = ['lost', 'outOfOrder', 'rivals', 'staleCommands', 'staleWrites'];

/**
 * Lets 500 detections a second flow while a fault lasts, and afterwards.
 * @param fault begins and ends the fault. What it resolves with is added to the figures.
 * @param holds judges the figures beside what the history promises
 */
export async function deliverThrough<Extra extends object>(
  context: ScenarioContext,
  { promises = PROMISES, ...options }: FaultOptions,
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
    promised: { acceptance: 'masters', promises } as const,
    backendEnv: { ...options.backendEnv, JOURNAL_ACCEPTED: 'on' },
  };
  const figures = await ChaosStage.with(context, all, async (stage) => {
    const { cluster, history } = stage;
    const watch = new MasterWatch(cluster.backends, history);
    try {
      await goesOn(history, signal);
      const extra = await fault({ stage, watch });
      const relief = performance.now();
      await until(signal, 'one master', () => watch.master);
      const backMs = Math.round(performance.now() - relief);
      await goesOn(history, signal);
      const recoveredMs = Math.round(performance.now() - relief);
      await endSending(stage, CAMERAS + (options.spareCameras ?? 0), signal, CONFIRMED_WITHIN).catch(() =>
        signal.throwIfAborted(),
      );
      await stage.hosts[0]!.process.crash();
      await untilDelivered(
        history,
        () => checkHistory(history).figures,
        signal,
        () => stage.pending(),
      );
      await watch.end();
      const { changes } = watch.claims;
      const { accepted, duplicates, lost, outOfOrder, rivals = 0 } = stage.conclude().figures;
      const verdict = { lost, outOfOrder, duplicates, rivals };
      const measured = { ...verdict, changes, backMs, recoveredMs, accepted, ...extra };
      return { ok: holds(measured), ...measured };
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
  const master = await until(signal, 'one master', () => watch.master);
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

import type { WorkerExcess } from '../shared/cluster-state.js';
import type { LeaveReason } from '@detector-cluster/placement';
import { LEAVE_REASONS } from '@detector-cluster/placement/internal';

/** How a move ended. `aborted`: cancelled, the unit stays on its worker; `failed`: the new worker did not show it in time. */
export type MoveEnd = 'finished' | 'aborted' | 'failed';

/** Receives durations in milliseconds. */
export interface DurationObserver {
  planned(ms: number): void;
  regenerated(ms: number, ok: boolean): void;
  /** A detection is done: its age since its arrival at the master, by the clocks of both processes. */
  delivered(ageMs: number): void;
}

/** Why the desired state is read. Free-form reasons of applications and change feeds count as `change`. */
const regenerationReasons = {
  'master-acquired': 0,
  resync: 0,
  'redis-returned': 0,
  reconnected: 0,
  requested: 0,
  rebalance: 0,
  explain: 0,
  'change-feed': 0,
  'change-feed-connected': 0,
  change: 0,
};

export type RegenerationReason = keyof typeof regenerationReasons;

/** The kinds of the worker protocol; unknown kinds of later versions count as `other`. */
const invalidKinds = {
  'too-short': 0,
  'too-large': 0,
  'detection-too-large': 0,
  'too-deep': 0,
  'not-json': 0,
  'not-an-object': 0,
  'unknown-type': 0,
  'invalid-imageDetection': 0,
  'invalid-stateReport': 0,
  'invalid-patchSession': 0,
  other: 0,
};

export type InvalidFrameKind = keyof typeof invalidKinds;

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

const NO_EXCESS: WorkerExcess = { pauses: 0, dropped: 0, oversized: 0 };

/** Counters of this process as master, since its start and over all its terms. One object per process. */
export class ReconcileFigures {
  /** Reconcile passes that have ended. */
  passes = 0;
  readonly regenerations = { ok: 0, failed: 0 };
  /** Reads by reason; a read with several reasons counts once for each. */
  readonly regenerationReasons: Record<RegenerationReason, number> = { ...regenerationReasons };
  /** Units that run elsewhere and were sent to their new worker. */
  readonly movesBegun: Record<LeaveReason, number> = zeros(LEAVE_REASONS);
  readonly movesEnded: Record<MoveEnd, number> = { finished: 0, aborted: 0, failed: 0 };
  readonly invalidFrames: Record<InvalidFrameKind, number> = { ...invalidKinds };
  /** The same frames by worker; of the workers that are or were dialled and are still configured. */
  readonly invalidFramesOf = new Map<string, number>();
  /** What workers have sent beyond their budgets; of the same workers. */
  readonly excesses = new Map<string, WorkerExcess>();
  /** Detections that were dropped because their worker does not hold the subscription. */
  unassignedDetections = 0;
  private readonly observers = new Set<DurationObserver>();

  /** Reports every duration from now on; returns a function that unsubscribes. */
  observe(observer: DurationObserver): () => void {
    this.observers.add(observer);
    return () => void this.observers.delete(observer);
  }

  /** A plan was made for a pass, not only for a preview. */
  planned(ms: number): void {
    for (const observer of this.observers) observer.planned(ms);
  }

  /** The desired state is about to be read. */
  regenerating(reasons: readonly string[]): void {
    const kinds = reasons.map((reason) =>
      Object.hasOwn(regenerationReasons, reason) ? (reason as RegenerationReason) : 'change',
    );
    for (const kind of new Set(kinds)) this.regenerationReasons[kind]++;
  }

  /** A read of the desired state has succeeded or failed. */
  regenerated(ms: number, ok: boolean): void {
    this.regenerations[ok ? 'ok' : 'failed']++;
    for (const observer of this.observers) observer.regenerated(ms, ok);
  }

  /** A worker is dialled: its counts begin at 0, so that a first invalid frame shows as a rise. */
  dialled(worker: string): void {
    if (!this.invalidFramesOf.has(worker)) this.invalidFramesOf.set(worker, 0);
    if (!this.excesses.has(worker)) this.excesses.set(worker, NO_EXCESS);
  }

  /** Forgets the counts of all other workers. */
  keepWorkers(workers: readonly string[]): void {
    for (const counts of [this.invalidFramesOf, this.excesses])
      for (const worker of counts.keys()) if (!workers.includes(worker)) counts.delete(worker);
  }

  /** A worker sent frames that violate the protocol. */
  invalidFrame(worker: string, kind: string, count = 1): void {
    this.invalidFrames[Object.hasOwn(invalidKinds, kind) ? (kind as InvalidFrameKind) : 'other'] += count;
    this.invalidFramesOf.set(worker, (this.invalidFramesOf.get(worker) ?? 0) + count);
    if (kind === 'detection-too-large') this.exceeded(worker, 'oversized', count);
  }

  /** A worker has sent more than its budget. */
  exceeded(worker: string, what: keyof WorkerExcess, count = 1): void {
    const before = this.excesses.get(worker) ?? NO_EXCESS;
    this.excesses.set(worker, { ...before, [what]: before[what] + count });
  }

  /** Null: nothing. The same object until it changes. */
  excessOf(worker: string): WorkerExcess | null {
    const excess = this.excesses.get(worker) ?? NO_EXCESS;
    return excess === NO_EXCESS ? null : excess;
  }

  /** The callbacks of a detection have succeeded in this process. */
  delivered(ageMs: number): void {
    for (const observer of this.observers) observer.delivered(ageMs);
  }
}

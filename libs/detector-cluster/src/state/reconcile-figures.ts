import type { LeaveReason } from '../planner/contract/plan-result.js';

/** How a move ended. `aborted`: it was called off, the unit stays where it was; `failed`: the new worker did not show it in time. */
export type MoveEnd = 'finished' | 'aborted' | 'failed';

/** Wants to know how long each thing took; milliseconds. */
export interface DurationObserver {
  planned(ms: number): void;
  regenerated(ms: number, ok: boolean): void;
  /** A detection is done: so old is it, from its arrival at the master, by the clocks of both. */
  delivered(ageMs: number): void;
}

const leaveReasons: Readonly<Record<LeaveReason, 0>> = {
  'worker-removed': 0,
  'worker-offline': 0,
  selector: 0,
  penalty: 0,
  'over-capacity': 0,
  preempted: 0,
  drain: 0,
  balance: 0,
  'not-desired': 0,
};

/** Why the desired state is read. What applications and change feeds announce in words of their own counts as `change`. */
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

/** The kinds of the worker protocol; whatever else a later one may say counts as `other`. */
const invalidKinds = {
  'too-large': 0,
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

/** What this process has done as master, since its start and over all its terms. One object for the whole process. */
export class ReconcileFigures {
  passes = 0;
  plans = 0;
  readonly regenerations = { ok: 0, failed: 0 };
  /** Reads by why they began; one that had several reasons counts once for each. */
  readonly regenerationReasons: Record<RegenerationReason, number> = { ...regenerationReasons };
  readonly movesBegun: Record<LeaveReason, number> = { ...leaveReasons };
  readonly movesEnded: Record<MoveEnd, number> = { finished: 0, aborted: 0, failed: 0 };
  readonly invalidFrames: Record<InvalidFrameKind, number> = { ...invalidKinds };
  /** Detections that were dropped because their worker does not hold the subscription. */
  foreignDetections = 0;
  private readonly observers = new Set<DurationObserver>();

  /** Tells every duration from now on; returns a function that ends it. */
  observe(observer: DurationObserver): () => void {
    this.observers.add(observer);
    return () => void this.observers.delete(observer);
  }

  /** A reconcile pass has ended, whatever it found. */
  pass(): void {
    this.passes++;
  }

  /** A plan was made for a pass; not one that was only asked for. */
  planned(ms: number): void {
    this.plans++;
    for (const observer of this.observers) observer.planned(ms);
  }

  /** The desired state is about to be read. */
  regenerating(reasons: readonly string[]): void {
    const kinds = reasons.map((reason) =>
      Object.hasOwn(regenerationReasons, reason) ? (reason as RegenerationReason) : 'change',
    );
    for (const kind of new Set(kinds)) this.regenerationReasons[kind]++;
  }

  /** The desired state was read from its source, or could not be. */
  regenerated(ms: number, ok: boolean): void {
    this.regenerations[ok ? 'ok' : 'failed']++;
    for (const observer of this.observers) observer.regenerated(ms, ok);
  }

  /** The new worker was told to start a unit that runs elsewhere. */
  moveBegan(reason: LeaveReason): void {
    this.movesBegun[reason]++;
  }

  moveEnded(end: MoveEnd): void {
    this.movesEnded[end]++;
  }

  /** A worker sent a frame that is not of the protocol. */
  invalidFrame(kind: string): void {
    this.invalidFrames[Object.hasOwn(invalidKinds, kind) ? (kind as InvalidFrameKind) : 'other']++;
  }

  /** A worker sent a detection of a subscription that it does not hold. */
  foreignDetection(): void {
    this.foreignDetections++;
  }

  /** The callbacks of a detection have succeeded in this process. */
  delivered(ageMs: number): void {
    for (const observer of this.observers) observer.delivered(ageMs);
  }
}

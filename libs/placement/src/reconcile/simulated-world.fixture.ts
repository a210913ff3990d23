import type { PlacementHints } from '../model/placement-hints.js';
import { specHash } from '../model/spec-hash.js';
import type { WorkerLiveness } from '../model/worker-liveness.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';
import { parseSubscription } from '../model/subscription-identifier.js';
import type { PlannerState } from '../planner/plan.types.js';
import type {
  DesiredEntry,
  Penalty,
  ReportedStream,
  TrackedSubscription,
  WorkerAction,
} from './observation.js';
import { type PartialResult } from './reconcile-some.js';
import { PartialDecisions } from './partial-decisions.js';
import { reconcileSteps, type ReconcileInput } from './reconcile.js';
import { sentLater } from './sent-later.js';
import { runToEnd } from '../model/in-chunks.js';
import { MOVE_TIMEOUT, type EndedMove, type StreamMove } from './moves.js';

interface SimulatedWorker {
  streams: Map<string, ReportedStream>;
  /** The streams of its last report; null: the streams that it runs now. */
  reported: ReadonlyMap<string, ReportedStream> | null;
  state: WorkerLiveness;
  reportAt: number | null;
  /** Hash of each stream's specification in the last command. */
  specs: Map<string, string>;
  reportsDue: Map<string, number>;
  /** Its reports contain fingerprints. */
  echoes: boolean;
  /** It sends each report before it reads the commands that arrived since the previous one. */
  late: boolean;
  /** Subscriptions that it silently ignores. */
  refuses: Set<string>;
  /** Subscriptions without a picture. */
  offline: Set<string>;
  /** What it reports of the models of new streams. */
  modelState?: 'loading' | 'failed';
  capacity: number;
  labels?: Record<string, string>;
  cordoned?: boolean;
  drainSince?: number;
}

const isUp = ({ state }: SimulatedWorker): boolean => state === 'Ready' || state === 'Quarantined';

/** Desired subscription of the test world. */
export function subscription(id: string, modelId = 1): DesiredCameraSubscription {
  const { cameraId } = parseSubscription(id);
  return {
    subscriptionIdentifier: id,
    rtspUrl: `rtsp://cameras/${cameraId}`,
    modelId,
    modelName: `model-${modelId}`,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
}

/** A master and its workers in virtual time: commands arrive at once, reports every 2 s. For tests. */
export class SimulatedWorld {
  now = 1_000;
  readonly workers = new Map<string, SimulatedWorker>();
  desired = new Map<string, DesiredEntry>();
  tracked: ReadonlyMap<string, TrackedSubscription> = new Map();
  sent: (WorkerAction & { at: number })[] = [];
  settling = false;
  mayUnsubscribe = true;
  frozen = false;
  rebalance = false;
  /** From the beginning of a pass until its commands are sent. Milliseconds. */
  passTime = 0;
  moves: ReadonlyMap<string, StreamMove> = new Map();
  ended: EndedMove[] = [];
  /** Subscription → when the last pass wants to examine it again. */
  due: ReadonlyMap<string, number> = new Map();
  /** When the last pass wants the next full pass. */
  wakeAt: number | null = null;
  private plannerState: PlannerState | null = null;
  private penalties: ReadonlyMap<string, Penalty> = new Map();
  private unsubscribing: ReadonlyMap<string, number> = new Map();

  addWorker(url: string): SimulatedWorker {
    const worker: SimulatedWorker = {
      streams: new Map(),
      reported: null,
      state: 'Ready',
      reportAt: this.now,
      specs: new Map(),
      reportsDue: new Map(),
      echoes: false,
      late: false,
      refuses: new Set(),
      offline: new Set(),
      capacity: 100,
    };
    this.workers.set(url, worker);
    return worker;
  }

  want(...subscriptions: DesiredCameraSubscription[]): void {
    this.desired = new Map(
      subscriptions.map((spec) => [
        spec.subscriptionIdentifier,
        { spec, hash: specHash(spec), cameraId: parseSubscription(spec.subscriptionIdentifier).cameraId },
      ]),
    );
  }

  /** Sets the planner's hints for one desired subscription. */
  hint(id: string, hints: PlacementHints): void {
    this.desired = new Map(this.desired).set(id, { ...this.desired.get(id)!, hints });
  }

  get wallNow(): number {
    return 1_700_000_000_000 + this.now;
  }

  get input(): ReconcileInput {
    return {
      now: this.now,
      wallNow: this.wallNow,
      desired: this.desired,
      workers: [...this.workers].map(([url, worker]) => ({
        url,
        liveness: worker.state,
        current: isUp(worker) && worker.reportAt !== null,
        reported: worker.reported ?? worker.streams,
        reportsDue: worker.reportsDue,
        capacity: worker.capacity,
        ...(worker.labels && { labels: worker.labels }),
        ...(worker.cordoned && { cordoned: true }),
        ...(worker.drainSince !== undefined && { drainSince: worker.drainSince }),
        cpu: 10,
        memory: 10,
        gpu: null,
        gpuMemory: null,
      })),
      tracked: this.tracked,
      moves: this.moves,
      penalties: this.penalties,
      plannerState: this.plannerState,
      unsubscribing: this.unsubscribing,
      settling: this.settling,
      mayUnsubscribe: this.mayUnsubscribe,
      frozen: this.frozen,
      rebalance: this.rebalance,
      opensAt: null,
    };
  }

  /** One pass over everything. @param between called at each point at which a pass can be interrupted */
  pass(between: (step: number) => PartialResult | null = () => null) {
    const steps = reconcileSteps(this.input);
    const partial = new PartialDecisions();
    let next = steps.next();
    for (let step = 0; next.done !== true; step++) {
      const some = between(step);
      if (some !== null) {
        this.carryOutSome(some);
        partial.add(some);
      }
      next = steps.next();
    }
    const decidedAt = this.now;
    this.now += this.passTime;
    const result = runToEnd(sentLater(partial.keptIn(next.value), decidedAt, this.now));
    this.due = result.due;
    this.wakeAt = result.wakeAt;
    this.rebalance = false;
    this.tracked = result.tracked;
    this.moves = result.moves;
    this.plannerState = result.plannerState;
    this.ended.push(...result.ended);
    this.penalties = result.penalties;
    this.unsubscribing = result.unsubscribing;
    this.send(result.actions);
    return result;
  }

  /** Remembers and sends the decisions about some subscriptions. */
  carryOutSome({ actions, due, tracked }: PartialResult): void {
    const all = this.tracked as Map<string, TrackedSubscription>;
    for (const [id, next] of tracked) all.set(id, next);
    this.due = new Map([...[...this.due].filter(([id]) => !tracked.has(id)), ...due]);
    this.send(actions);
  }

  private send(actions: readonly WorkerAction[]): void {
    for (const action of actions) {
      this.sent.push({ ...action, at: this.now });
      const worker = this.workers.get(action.workerUrl)!;
      if (!isUp(worker)) continue;
      const id = action.subscriptionIdentifier;
      if (action.type === 'unsubscribe') {
        worker.reportsDue.delete(id);
        this.later(worker, (next) => {
          next.delete(id);
          worker.specs.delete(id);
        });
        continue;
      }
      worker.reportsDue.set(id, (worker.reported ?? worker.streams).has(id) ? 2 : 1);
      if (worker.refuses.has(id)) continue;
      const { hash, spec } = this.desired.get(id)!;
      const online = !worker.offline.has(id);
      this.later(worker, (next) => {
        const { echoes, modelState } = worker;
        const fingerprint = echoes ? hash : null;
        next.set(id, { online, modelId: spec.modelId, fingerprint, ...(modelState && { modelState }) });
        worker.specs.set(id, hash);
      });
    }
  }

  private readonly pending = new Map<SimulatedWorker, ((streams: Map<string, ReportedStream>) => void)[]>();

  /** The worker changes something on its own before its next report. */
  later(worker: SimulatedWorker, change: (streams: Map<string, ReportedStream>) => void): void {
    this.pending.set(worker, [...(this.pending.get(worker) ?? []), change]);
  }

  /** A worker reads its commands and reports. Returns the streams whose report has changed or proves that it read a command. */
  report(worker: SimulatedWorker): string[] {
    const before = worker.reported ?? worker.streams;
    const unread = [...worker.reportsDue].filter(([, due]) => due > 0).map(([id]) => id);
    const read = new Map(worker.streams);
    for (const change of this.pending.get(worker) ?? []) change(read);
    this.pending.delete(worker);
    worker.reported = worker.late ? worker.streams : null;
    worker.streams = read;
    for (const [id, due] of worker.reportsDue) worker.reportsDue.set(id, Math.max(0, due - 1));
    worker.reportAt = this.now;
    const now = worker.reported ?? worker.streams;
    const all = [...new Set([...before.keys(), ...now.keys()])];
    return [
      ...all.filter((id) => before.get(id) !== now.get(id)),
      ...unread.filter((id) => worker.reportsDue.get(id) === 0),
    ];
  }

  /** Lets time pass in steps of one report, with a pass after each. */
  run(ms: number, step = 2_000): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += step;
      for (const worker of this.workers.values()) if (isUp(worker)) this.report(worker);
      this.pass();
    }
  }

  /** The connection to a worker breaks and is restored; unread commands are lost. */
  reconnect(url: string): void {
    const worker = this.workers.get(url)!;
    worker.reportsDue = new Map();
    this.pending.delete(worker);
  }

  /** The record of a subscription is lost. */
  forget(id: string): void {
    this.tracked = new Map([...this.tracked].filter(([each]) => each !== id));
  }

  /** Subscriptions whose worker does not run the desired specification. */
  get outdated(): string[] {
    return [...this.desired]
      .filter(
        ([id, { hash }]) => this.workers.get(this.tracked.get(id)?.workerUrl ?? '')?.specs.get(id) !== hash,
      )
      .map(([id]) => id);
  }

  /** Another process takes over: it knows only what the last one has recorded, and the workers' reports. */
  failOver(): void {
    this.tracked = new Map([...this.tracked].map(([id, tracked]) => [id, recorded(tracked)]));
    this.moves = new Map(
      [...this.moves].map(([unitId, move]) => [
        unitId,
        { ...recordedMove(move), deadline: this.now + MOVE_TIMEOUT },
      ]),
    );
    this.unsubscribing = new Map();
    for (const url of this.workers.keys()) this.reconnect(url);
    this.sent = [];
  }

  /** Where each subscription runs; two while it moves. */
  running(): Record<string, string[]> {
    const running: Record<string, string[]> = {};
    for (const [url, { streams }] of this.workers)
      for (const id of streams.keys()) (running[id] ??= []).push(url);
    return running;
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(
      [...this.tracked].map(([id, { status, reason }]) => [id, `${status}/${reason}`]),
    );
  }

  places(): Record<string, string> {
    return Object.fromEntries([...this.tracked].map(([id, { workerUrl }]) => [id, workerUrl]));
  }
}

/** What a record keeps of a subscription. */
function recorded(tracked: TrackedSubscription): TrackedSubscription {
  const confirmed = tracked.status === 'active';
  const specHash = tracked.sentAt === null ? tracked.specHash : 'unconfirmed';
  return { ...tracked, specHash, sentAt: null, attempts: 0, offline: null, confirmed };
}

/** What a record keeps of a move: the subscriptions that the new worker has confirmed. */
function recordedMove(move: StreamMove): StreamMove {
  return { ...move, commands: new Map([...move.commands].filter(([, { sentAt }]) => sentAt === null)) };
}

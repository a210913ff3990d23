import { FencedError } from '@detector-cluster/election/fence';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import { assignOwners, type OwnerMove } from './assign-owners.js';
import type { BacklogMover } from './backlog-mover.js';
import { backlogFinished } from './backlog-watch.js';
import type { DetectionRates } from './detection-rates.js';
import type { OutgoingEntry } from '../router/routed-detection.js';
import type { RouterContext } from '../router/router-context.js';
import type { WriterPool } from '../writing/writer-pool.js';

export interface OwnershipHooks {
  readonly writers: WriterPool;
  readonly mover: BacklogMover;
  readonly rates: DetectionRates;
  /** Writes the assignments for the next master. It is repeated until it resolves. */
  readonly persist: (assignments: Readonly<Record<string, string>>) => Promise<void>;
  /** From now on the worker's detections wait … */
  readonly hold: (worker: string) => void;
  /** … and now those that waited, and all that follow, go to the owner. */
  readonly release: (worker: string) => void;
  /** Sends an entry that a lost process did not get to the new owner of its worker. */
  readonly redirect: (entry: OutgoingEntry) => void;
}

/** How often a process without a stream is looked at. Milliseconds. */
const STREAM_LOOK = 500;

/** With more entries than this an owner will not be done within a drain: nothing is held for it. */
const DRAINABLE = 1_000;

/**
 * Brings worker → owner in line with the processes that live. Level-based: whatever changes only asks for a pass, passes
 * run one at a time, and each begins from what is true then.
 *
 * The order within a pass carries the guarantees: hold, write the assignments down, move what the dead left, then release.
 * A master that dies in between leaves assignments by which its successor does the rest.
 */
export class Ownership {
  private current = new Map<string, string>();
  private candidates: readonly string[] = [];
  private alive: ReadonlySet<string> = new Set();
  private workers = new Set<string>();
  /** Processes whose entries have to be moved. */
  private readonly lost = new Set<string>();
  private readonly streamless = new Set<string>();
  private begun = false;
  private requested = false;
  private running = false;
  private retry: NodeJS.Timeout | undefined;
  private rebalance: NodeJS.Timeout | undefined;

  constructor(
    private readonly context: RouterContext,
    private readonly hooks: OwnershipHooks,
  ) {
    context.signal.addEventListener('abort', () => this.stopTimers(), { once: true });
  }

  get assignments(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.current);
  }

  ownerOf(worker: string): string | undefined {
    return this.current.get(worker);
  }

  /** Who takes what a worker sent before: its owner, any process when it has none; undefined while that is changing. */
  ownerOrAny(worker: string): string | undefined {
    const owner = this.current.get(worker) ?? this.candidates.find((each) => this.serves(each));
    return owner !== undefined && this.serves(owner) ? owner : undefined;
  }

  /** Whether it can be sent to, and what it has written will not be forgotten with what it left. */
  serves(processId: string): boolean {
    return this.alive.has(processId) && !this.lost.has(processId) && !this.streamless.has(processId);
  }

  setMembers(candidates: readonly string[], alive: ReadonlySet<string>): void {
    const same = sameList(candidates, this.candidates) && sameList([...alive].sort(), [...this.alive].sort());
    if (same) return;
    for (const processId of this.alive) if (!alive.has(processId)) this.lost.add(processId);
    // Nothing has been done about a lost process while no pass runs, so it may as well not have been lost.
    if (!this.running)
      for (const processId of alive) if (!this.streamless.has(processId)) this.lost.delete(processId);
    this.candidates = [...candidates];
    this.alive = alive;
    this.request();
  }

  memberLost(processId: string): void {
    this.lost.add(processId);
    this.candidates = this.candidates.filter((each) => each !== processId);
    this.alive = new Set([...this.alive].filter((each) => each !== processId));
    this.request();
  }

  /** The process may live, but nothing can be sent to it. */
  memberWithoutStream(processId: string): void {
    this.streamless.add(processId);
    this.lost.add(processId);
    this.context.onEvent({ type: 'stream-missing', processId });
    this.request();
  }

  setWorkers(workers: Iterable<string>): void {
    const next = new Set(workers);
    if (sameList([...next].sort(), [...this.workers].sort())) return;
    for (const worker of this.workers) if (!next.has(worker)) this.hooks.rates.forget(worker);
    this.workers = next;
    this.request();
  }

  /** A worker that nobody announced has sent something. */
  addWorker(worker: string): void {
    if (this.workers.has(worker)) return;
    this.workers.add(worker);
    this.request();
  }

  /**
   * Begins with what the previous master left.
   * @param streams the processes that have one, in the order in which those that are lost have to be moved
   */
  begin(assignments: Readonly<Record<string, string>>, streams: readonly string[]): void {
    this.current = new Map(Object.entries(assignments));
    for (const processId of streams) {
      if (this.alive.has(processId) && !this.lost.has(processId)) continue;
      // A set keeps the order of insertion, also for what is in it already.
      this.lost.delete(processId);
      this.lost.add(processId);
    }
    // The previous master may have written new owners down and not moved everything: nothing may overtake the rest.
    if (this.lost.size > 0) for (const worker of this.current.keys()) this.hooks.hold(worker);
    this.begun = true;
    this.rebalance = setInterval(() => this.request(), this.context.options.rebalanceInterval);
    this.request();
  }

  private request(): void {
    this.requested = true;
    if (this.running || !this.begun || this.context.signal.aborted) return;
    this.running = true;
    void this.loop();
  }

  private requestIn(ms: number): void {
    clearTimeout(this.retry);
    if (!this.context.signal.aborted) this.retry = setTimeout(() => this.request(), ms);
  }

  private stopTimers(): void {
    clearTimeout(this.retry);
    clearInterval(this.rebalance);
  }

  private async loop(): Promise<void> {
    while (this.requested && !this.context.signal.aborted) {
      this.requested = false;
      await this.pass();
    }
    this.running = false;
  }

  private async pass(): Promise<void> {
    await this.lookForStreams();
    const candidates = this.candidates.filter((each) => this.serves(each));
    for (const [worker, owner] of this.current) if (!this.serves(owner)) this.hooks.hold(worker);
    if (candidates.length === 0) return;

    const plan = assignOwners({
      members: candidates,
      workers: this.workers,
      current: this.current,
      rates: this.hooks.rates.current(),
    });
    const retiring = this.keepLiving(plan.assignments, plan.forced);
    const assigned = plan.forced.filter((worker) => !retiring.some(({ workerUrl }) => workerUrl === worker));
    for (const worker of assigned) this.hooks.hold(worker);
    if (!sameAssignments(this.current, plan.assignments)) await this.persist(plan.assignments);
    this.take(plan.assignments);
    // Who is lost meanwhile may be one of the candidates: that is for the next pass.
    const lost = [...this.lost];
    // Among the heirs is also who keeps workers only until it has finished.
    const heirs = [
      ...new Set([...candidates, ...[...this.current.values()].filter((each) => this.serves(each))]),
    ];
    for (const processId of lost) if (!(await this.bury(processId, heirs))) return;
    for (const worker of this.current.keys()) this.hooks.release(worker);
    for (const move of [...retiring, ...plan.moves]) if (!(await this.change(move))) return;
  }

  /** An owner that lives but shall own no more keeps its workers until it has finished; returns these changes. */
  private keepLiving(assignments: Map<string, string>, forced: readonly string[]): OwnerMove[] {
    return forced.flatMap((workerUrl) => {
      const from = this.current.get(workerUrl);
      if (from === undefined || !this.serves(from)) return [];
      const to = assignments.get(workerUrl)!;
      assignments.set(workerUrl, from);
      return [{ workerUrl, from, to }];
    });
  }

  private async lookForStreams(): Promise<void> {
    const { keys, redis } = this.context;
    for (const processId of this.streamless) {
      if (this.lost.has(processId)) continue;
      const exists = this.alive.has(processId) ? await redis.exists(keys.slave(processId)).catch(() => 0) : 1;
      if (exists === 1) this.streamless.delete(processId);
      else this.requestIn(STREAM_LOOK);
    }
  }

  /** Moves everything of a lost process; false when that has to be planned anew. */
  private async bury(processId: string, heirs: readonly string[]): Promise<boolean> {
    const { counters, signal } = this.context;
    const { mover, redirect, writers } = this.hooks;
    const writer = writers.find(processId);
    // Only after what is under way has arrived is it certain what there is to move.
    await writer?.flushed();
    await writer?.pause();
    const missing = await mover.move(processId, heirs, this.current);
    if (signal.aborted) return false;
    if (missing !== null) {
      this.memberWithoutStream(missing);
      return false;
    }
    writers.remove(processId);
    this.lost.delete(processId);
    for (const entry of writer?.takeAll() ?? [])
      if (entry.audience === 'listener') {
        counters.listenerEntriesDiscarded++;
        entry.trace?.end('discarded');
      } else redirect(entry);
    if (this.alive.has(processId)) this.requestIn(STREAM_LOOK);
    return true;
  }

  /** Lets the living owner finish, then switches; false when the rest has to wait for another pass. */
  private async change(move: OwnerMove): Promise<boolean> {
    const { context, hooks } = this;
    const { workerUrl, from, to } = move;
    const owner = hooks.writers.of(from);
    const deadline = context.now() + context.options.drainTimeout;
    const giveUp = () => this.lost.size > 0 || context.now() > deadline;
    hooks.hold(workerUrl);
    const finished =
      (await this.isDrainable(from)) && (await backlogFinished(context, owner, workerUrl, giveUp));
    if (finished) {
      const assignments = new Map(this.current).set(workerUrl, to);
      await this.persist(assignments);
      this.take(assignments);
    } else if (!context.signal.aborted) {
      context.onEvent({ type: 'owner-change-postponed', workerUrl, from, to });
      this.requestIn(context.options.drainRetry);
    }
    if (this.serves(this.current.get(workerUrl)!)) hooks.release(workerUrl);
    return finished && !this.requested;
  }

  private async isDrainable(processId: string): Promise<boolean> {
    const { keys, redis } = this.context;
    return (await redis.xlen(keys.slave(processId)).catch(() => Infinity)) <= DRAINABLE;
  }

  private take(assignments: Map<string, string>): void {
    for (const [workerUrl, to] of assignments) {
      const from = this.current.get(workerUrl) ?? null;
      if (from !== to) this.context.onEvent({ type: 'owner-changed', workerUrl, from, to });
    }
    this.current = assignments;
  }

  private async persist(assignments: ReadonlyMap<string, string>): Promise<void> {
    const { deposed, onEvent, signal } = this.context;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.hooks.persist(Object.fromEntries(assignments));
        return;
      } catch (thrown) {
        if (thrown instanceof FencedError) {
          deposed();
          return;
        }
        onEvent({ type: 'redis-error', error: asError(thrown) });
        await delay(Math.min(50 * 2 ** Math.min(failures, 4), 500), signal);
      }
    }
  }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}

function sameAssignments(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([worker, owner]) => b.get(worker) === owner);
}

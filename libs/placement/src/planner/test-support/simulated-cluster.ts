import type {
  PlanInput,
  PlanMove,
  PlanPenalty,
  PlanUnit,
  PlanWorker,
  Plan,
  PlanAction,
  PlannerState,
} from '../plan.types.js';
import { runToEnd } from '../../model/in-chunks.js';
import { afterFailedMoves } from '../planner-state.js';
import { plan } from '../plan.js';

const ROUNDING = 1e-6;

/**
 * Workers that obey, and a master that carries plans out step by step. After each step it checks the invariants: no worker
 * takes a unit for which it has no room, and a camera runs on one worker, or on two while it moves. For tests.
 */
export class SimulatedCluster {
  now = 1_000_000;
  frozen = false;
  requested = false;
  readonly units = new Map<string, PlanUnit>();
  readonly workers = new Map<string, PlanWorker>();
  readonly moves = new Map<string, PlanMove>();
  penalties: PlanPenalty[] = [];
  state: PlannerState | null = null;
  placements = new Map<string, string>();
  /** The metrics that a worker reports to the planner. */
  report: (worker: PlanWorker) => PlanWorker = (worker) => worker;
  /** Number of begun moves by reason. */
  readonly begun: { unitId: string; reason: string; at: number }[] = [];
  private readonly streams = new Map<string, Map<string, number>>();

  constructor(units: readonly PlanUnit[], workers: readonly PlanWorker[]) {
    for (const unit of units) this.units.set(unit.unitId, unit);
    for (const worker of workers) this.workers.set(worker.url, worker);
  }

  get input(): PlanInput {
    return {
      units: [...this.units.values()],
      workers: [...this.workers.values()].map((worker) => this.report(worker)),
      placements: this.placements,
      moves: [...this.moves.values()],
      penalties: this.penalties,
      frozen: this.frozen,
      rebalance: { now: this.now, state: this.state, requested: this.requested },
    };
  }

  /** Runs a unit on a worker without a plan. */
  start(unitId: string, url: string): void {
    this.placements.set(unitId, url);
    this.add(url, unitId);
  }

  /** Plans, and begins the steps that may begin, in an order that `shuffle` chooses. */
  pass(shuffle: (actions: PlanAction[]) => PlanAction[] = (actions) => actions): Plan {
    for (const move of this.moves.values()) if (this.isGone(move.from)) this.finish(move.unitId);
    const result = plan(this.input);
    // In its stored form, from which a successor continues.
    this.state = JSON.parse(JSON.stringify(result.state)) as PlannerState;
    this.requested = false;
    for (const action of result.actions) this.stop(action);
    for (const action of shuffle([...result.actions])) this.begin(action);
    return result;
  }

  /** The destination shows the stream, so the source stops. */
  finish(unitId: string): void {
    const { from, to } = this.moves.get(unitId)!;
    this.moves.delete(unitId);
    this.remove(from, unitId);
    this.placements.set(unitId, to);
    this.check(unitId);
  }

  finishAll(): void {
    for (const unitId of this.moves.keys()) this.finish(unitId);
  }

  /** The destination did not take it. */
  giveUp(unitId: string): void {
    this.remove(this.moves.get(unitId)!.to, unitId);
    this.moves.delete(unitId);
    if (this.state !== null) this.state = runToEnd(afterFailedMoves(this.state, [unitId], this.now));
    this.check(unitId);
  }

  /**
   * Plans until no move is held any more; returns the number of 30 s rounds in which a move began or could have begun. Throws
   * after `maxRounds`.
   */
  settle(maxRounds: number): number {
    let active = 0;
    for (let round = 1; round <= maxRounds; round++) {
      let result = this.pass();
      let acted = result.actions.length > 0;
      while (result.actions.length > 0) {
        this.finishAll();
        result = this.pass();
        acted ||= result.actions.length > 0;
      }
      if (result.held.length === 0) return active + 1;
      if (acted || result.held.some(({ heldBy }) => heldBy === 'settling')) active += 1;
      this.now += 30_000;
    }
    throw new Error(`not settled after ${maxRounds} rounds`);
  }

  occupied(url: string): number {
    let sum = 0;
    for (const cost of this.streams.get(url)?.values() ?? []) sum += cost;
    return sum;
  }

  /** Forgets the units of a worker that died. */
  crash(url: string): void {
    this.streams.delete(url);
  }

  /** A worker that died runs its expected units again. */
  restore(url: string): void {
    const streams = new Map<string, number>();
    const add = (unitId: string) => streams.set(unitId, this.units.get(unitId)?.cost ?? 0);
    for (const [unitId, at] of this.placements) if (at === url && !this.moves.has(unitId)) add(unitId);
    for (const { unitId, from, to } of this.moves.values()) if (from === url || to === url) add(unitId);
    this.streams.set(url, streams);
  }

  private stop(action: PlanAction): void {
    if (action.type === 'abort') {
      this.moves.delete(action.unitId);
      this.remove(action.to, action.unitId);
    } else if (action.type === 'evict' || (action.type === 'move' && action.breaksFirst)) {
      this.remove(action.from, action.unitId);
      this.placements.delete(action.unitId);
    }
    this.check(action.unitId);
  }

  private begin(action: PlanAction): void {
    if (action.type === 'abort' || action.type === 'evict' || action.waits) return;
    const { unitId, to } = action;
    if (action.type === 'move') this.begun.push({ unitId, reason: action.reason, at: this.now });
    if (action.type === 'move' && !action.breaksFirst)
      this.moves.set(unitId, { unitId, from: action.from, to });
    else this.placements.set(unitId, to);
    this.add(to, unitId);
    this.check(unitId);
  }

  private add(url: string, unitId: string): void {
    const { cost } = this.units.get(unitId)!;
    const worker = this.workers.get(url);
    if (worker?.state !== 'Ready' || worker.cordoned || worker.drainSince !== undefined)
      throw new Error(`${unitId} begins on ${url}, which takes nothing`);
    let streams = this.streams.get(url);
    if (streams === undefined) this.streams.set(url, (streams = new Map()));
    if (streams.has(unitId)) throw new Error(`${unitId} begins twice on ${url}`);
    streams.set(unitId, cost);
    const capacity = worker.capacity ?? 100;
    if (this.occupied(url) > capacity + ROUNDING)
      throw new Error(`${url} has ${this.occupied(url)} of ${capacity} with ${unitId}`);
  }

  private remove(url: string, unitId: string): void {
    this.streams.get(url)?.delete(unitId);
  }

  private check(unitId: string): void {
    const on = [...this.streams].filter(([, streams]) => streams.has(unitId)).map(([url]) => url);
    const move = this.moves.get(unitId);
    const expected = move ? [move.from, move.to] : [this.placements.get(unitId)];
    for (const url of on)
      if (!expected.includes(url))
        throw new Error(`${unitId} runs on ${on.join(' and ')}, expected ${expected.join(' and ')}`);
  }

  private isGone(url: string): boolean {
    const worker = this.workers.get(url);
    return worker === undefined || worker.state === 'Offline';
  }
}

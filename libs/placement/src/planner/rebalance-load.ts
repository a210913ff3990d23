import type { HeldMove, HoldReason, PlannerState } from './plan.types.js';
import type { WorkerSlot } from './worker-slot.js';
import {
  balanceFigures,
  beyondStart,
  withinStop,
  meanCostOf,
  participants,
  allocationsBalanced,
  loadsBalanced,
  type BalanceFigures,
  residentsOf,
} from './balance.js';
import { release } from './settle.js';
import { isMoving, type UnitEntry } from './unit-entry.js';
import { betterPlace, type Candidate, type Search } from './better-place.js';
import type { DrainInput } from './drain.js';

export interface RebalanceInput extends DrainInput {
  /** Workers with units waiting for room: no unit leaves them, so that their freed room is not given away. */
  readonly contended: ReadonlySet<WorkerSlot>;
  readonly state: PlannerState;
  readonly now: number;
  /** It was asked for: it starts although the load is within the outer bands. */
  readonly requested: boolean;
  /** Why no move may begin at all, or null. */
  readonly heldBy: HoldReason | null;
}

export interface RebalanceResult {
  readonly rebalancing: PlannerState['rebalancing'];
  readonly held: readonly HeldMove[];
}

/**
 * Moves units to balance the load, as far as the limits allow. Rebalancing starts when the load is beyond the outer bands, and
 * continues from plan to plan until the load is within the inner bands or no move helps. Without this latch every plan
 * would test the start condition again, and rebalancing would stop half-way. Yields where it may be interrupted.
 */
export function* rebalanceLoad(input: RebalanceInput): Generator<void, RebalanceResult> {
  const { limits } = input;
  const taking = participants(input.slots);
  const meanCost = yield* meanCostOf(input.entries);
  const begun = input.requested ? null : input.state.rebalancing;
  let figures = balanceFigures(taking, meanCost);
  const goesOn = begun !== null || input.requested || beyondStart(figures);
  const resting = begun !== null && begun.left <= 0;
  if (withinStop(figures) || !goesOn) return { rebalancing: resting ? begun : null, held: [] };

  const open = taking.filter((slot) => !input.contended.has(slot));
  const sources = yield* residentsOf(input.entries, open);
  const rebalancer = new Rebalancer(input, taking, sources, meanCost);
  if (resting)
    return { rebalancing: begun, held: beyondStart(figures) ? yield* rebalancer.preview('resting') : [] };
  const isRequested = input.requested || begun?.requested === true;
  const since = begun?.since ?? input.now;
  let left = begun?.left ?? mostMoves(taking, input.entries.length);
  let heldBy = input.heldBy;
  while (left > 0 && !withinStop(figures)) {
    heldBy ??= limits.holdsAll(true);
    if (heldBy !== null) break;
    const candidate = yield* rebalancer.next(figures);
    if (candidate === null) {
      heldBy = yield* rebalancer.holdOf(figures);
      if (heldBy === 'resting') left = 0;
      break;
    }
    rebalancer.move(candidate);
    limits.begin(candidate.target, true);
    left -= 1;
    figures = balanceFigures(taking, meanCost);
  }
  if (withinStop(figures)) return { rebalancing: null, held: [] };
  if (left === 0)
    return {
      rebalancing: { since: input.now, left },
      held: beyondStart(figures) ? yield* rebalancer.preview('resting') : [],
    };
  const held = heldBy === null ? [] : yield* rebalancer.preview(heldBy);
  const continues = { since, left, ...(isRequested && { requested: true as const }) };
  return { rebalancing: held.length > 0 ? continues : null, held };
}

const shareOf = ({ allocated, capacity }: WorkerSlot): number => allocated / capacity;
const loadOf = (slot: WorkerSlot): number => slot.loadWith(0);

/**
 * How many moves rebalancing may make before it pauses: the fair share of units of one worker, once for each worker far below
 * it and at least once. This is enough to fill new workers, and it bounds the moves where no move can balance the load.
 */
function mostMoves(taking: readonly WorkerSlot[], units: number): number {
  const [meanShare, meanLoad] = [meanOf(taking.map(shareOf)), meanOf(taking.map(loadOf))];
  const newcomers = taking.filter((slot) => shareOf(slot) <= meanShare / 2 && loadOf(slot) < meanLoad);
  return Math.ceil(units / taking.length) * Math.max(1, newcomers.length);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** How many of the next moves are shown while they are held. */
const SHOWN = 10;

const anything = () => true;

/** Finds one move after the other that makes the load more even, and makes it. Yields where it may be interrupted. */
class Rebalancer {
  /** @param sources the workers that units may leave, and their units */
  constructor(
    private readonly input: Pick<RebalanceInput, 'penalties' | 'limits'>,
    private readonly taking: readonly WorkerSlot[],
    private readonly sources: ReadonlyMap<WorkerSlot, UnitEntry[]>,
    private readonly meanCost: number,
  ) {}

  /** The next move that may begin now. */
  *next(figures: BalanceFigures): Generator<void, Candidate | null> {
    const { limits } = this.input;
    return yield* this.search(
      figures,
      (entry) => !limits.isCooling(entry),
      (target) => limits.accepts(target) && !limits.hasShare(target),
    );
  }

  /** What keeps the next move from beginning; null when there is none. */
  *holdOf(figures: BalanceFigures): Generator<void, HoldReason | null> {
    const { limits } = this.input;
    const next = yield* this.search(figures, anything, (target) => !limits.hasShare(target));
    if (next !== null) return limits.isCooling(next.entry) ? 'cooldown' : 'in-flight';
    return (yield* this.search(figures, anything, anything)) === null ? null : 'resting';
  }

  private *search(
    figures: BalanceFigures,
    movable: (entry: UnitEntry) => boolean,
    accepts: (target: WorkerSlot) => boolean,
  ): Generator<void, Candidate | null> {
    const search: Search = {
      sources: this.sources,
      targets: this.taking.filter((slot) => slot.rejects === null),
      penalties: this.input.penalties,
      meanCost: this.meanCost,
      movable: (entry) => !isMoving(entry) && movable(entry),
      accepts,
    };
    const byLoad = loadsBalanced(figures) ? null : yield* betterPlace(search, 'load');
    return byLoad ?? (allocationsBalanced(figures) ? null : yield* betterPlace(search, 'allocation'));
  }

  move({ entry, target }: Candidate): void {
    const source = entry.slot!;
    release(entry, 'balance');
    entry.slot = target;
    target.allocated += entry.cost;
    const units = this.sources.get(source)!;
    units.splice(units.indexOf(entry), 1);
  }

  /** The moves that would come next; changes nothing. */
  *preview(heldBy: HoldReason): Generator<void, HeldMove[]> {
    const made: { candidate: Candidate; source: WorkerSlot }[] = [];
    for (
      let figures = this.figures();
      !withinStop(figures) && made.length < SHOWN;
      figures = this.figures()
    ) {
      const candidate = yield* this.search(figures, anything, anything);
      if (candidate === null) break;
      const source = candidate.entry.slot!;
      made.push({ candidate, source });
      this.move(candidate);
    }
    for (const { candidate, source } of made.toReversed()) this.takeBack(candidate, source);
    return made.map(({ candidate: { entry, target }, source }) => ({
      unitId: entry.unit.unitId,
      from: source.url,
      to: target.url,
      reason: 'balance',
      heldBy,
    }));
  }

  private figures(): BalanceFigures {
    return balanceFigures(this.taking, this.meanCost);
  }

  private takeBack({ entry, target }: Candidate, source: WorkerSlot): void {
    target.allocated -= entry.cost;
    source.allocated += entry.cost;
    if (!entry.breaksFirst) source.leaving -= entry.cost;
    entry.slot = source;
    entry.left = null;
    entry.breaksFirst = false;
    this.sources.get(source)!.push(entry);
  }
}

import type { HeldMove, HoldReason } from '../contract/plan-result.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import { release } from '../placement/settle.js';
import type { Penalties } from '../units/penalties.js';
import { isMoving, type UnitEntry } from '../units/unit-entry.js';
import {
  allocationsLevel,
  balanceFigures,
  beyondStart,
  loadsLevel,
  withinStop,
  type BalanceFigures,
} from './balance-bands.js';
import { betterPlace, type Candidate, type Search } from './better-place.js';
import type { MoveLimits } from './move-limits.js';
import { participants, residentsOf } from './participants.js';

export interface LevelInput {
  readonly entries: readonly UnitEntry[];
  readonly slots: readonly WorkerSlot[];
  /** Workers whose room somebody waits for: they are not levelled, so that what becomes free there is not given away. */
  readonly contended: ReadonlySet<WorkerSlot>;
  readonly penalties: Penalties;
  readonly limits: MoveLimits;
  /** Levelling has begun with an earlier plan, or was asked for. */
  readonly begun: boolean;
  /** Why no move may begin at all, or null. */
  readonly heldBy: HoldReason | null;
}

export interface LevelResult {
  readonly levelling: boolean;
  readonly held: readonly HeldMove[];
}

/** How many of the next moves are shown while they may not begin. */
const SHOWN = 10;

/**
 * Moves units to level the load, as far as the limits allow. It starts when the load is beyond the outer bands, and goes on
 * from plan to plan until it is within the inner ones or no move helps. Without this latch every plan would test for the
 * start anew, and levelling would stop half-way.
 */
export function level(input: LevelInput): LevelResult {
  const taking = participants(input.slots);
  const meanCost = meanCostOf(input.entries);
  let figures = balanceFigures(taking, meanCost);
  if (withinStop(figures) || !(input.begun || beyondStart(figures))) return { levelling: false, held: [] };

  const leveller = new Leveller(input, taking, meanCost);
  let heldBy = input.heldBy;
  while (!withinStop(figures)) {
    heldBy ??= input.limits.holdsAll(true);
    if (heldBy !== null) break;
    const candidate = leveller.next(figures, true);
    if (candidate === null) {
      heldBy = leveller.holdOf(figures);
      break;
    }
    leveller.move(candidate);
    input.limits.begin(candidate.target, true);
    figures = balanceFigures(taking, meanCost);
  }
  if (heldBy === null || withinStop(figures)) return { levelling: false, held: [] };
  const held = leveller.preview(heldBy);
  return { levelling: held.length > 0, held };
}

class Leveller {
  private readonly sources: Map<WorkerSlot, UnitEntry[]>;

  constructor(
    private readonly input: LevelInput,
    private readonly taking: readonly WorkerSlot[],
    private readonly meanCost: number,
  ) {
    this.sources = residentsOf(
      input.entries,
      taking.filter((slot) => !input.contended.has(slot)),
    );
  }

  /** The next move; `limited`: of those that may begin now. */
  next(figures: BalanceFigures, limited: boolean): Candidate | null {
    const { limits, penalties } = this.input;
    const search: Search = {
      sources: this.sources,
      targets: this.taking.filter((slot) => slot.rejects === null),
      penalties,
      meanCost: this.meanCost,
      movable: (entry) => !isMoving(entry) && !(limited && limits.isCooling(entry)),
      accepts: (target) => !limited || limits.accepts(target),
    };
    const byLoad = loadsLevel(figures) ? null : betterPlace(search, 'load');
    return byLoad ?? (allocationsLevel(figures) ? null : betterPlace(search, 'allocation'));
  }

  /** What keeps the next move from beginning; null when there is none. */
  holdOf(figures: BalanceFigures): HoldReason | null {
    const next = this.next(figures, false);
    if (next === null) return null;
    return this.input.limits.isCooling(next.entry) ? 'cooldown' : 'in-flight';
  }

  move({ entry, target }: Candidate): void {
    const source = entry.slot!;
    release(entry, 'balance');
    entry.slot = target;
    target.allocated += entry.cost;
    const units = this.sources.get(source)!;
    units.splice(units.indexOf(entry), 1);
  }

  /** The moves that would come next; nothing is changed. */
  preview(heldBy: HoldReason): HeldMove[] {
    const made: { candidate: Candidate; source: WorkerSlot }[] = [];
    for (
      let figures = this.figures();
      !withinStop(figures) && made.length < SHOWN;
      figures = this.figures()
    ) {
      const candidate = this.next(figures, false);
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

export function meanCostOf(entries: readonly UnitEntry[]): number {
  let sum = 0;
  for (const { cost } of entries) sum += cost;
  return entries.length === 0 ? 0 : sum / entries.length;
}

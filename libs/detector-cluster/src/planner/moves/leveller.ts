import type { HeldMove, HoldReason } from '../contract/plan-result.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import { release } from '../placement/settle.js';
import type { Penalties } from '../units/penalties.js';
import { isMoving, type UnitEntry } from '../units/unit-entry.js';
import {
  allocationsLevel,
  balanceFigures,
  loadsLevel,
  withinStop,
  type BalanceFigures,
} from './balance-bands.js';
import { betterPlace, type Candidate, type Search } from './better-place.js';
import type { MoveLimits } from './move-limits.js';
import { residentsOf } from './participants.js';

/** How many of the next moves are shown while they are held. */
const SHOWN = 10;

const anything = () => true;

export interface LevellerInput {
  readonly entries: readonly UnitEntry[];
  /** Workers with units waiting for room: they are not levelled, so that their freed room is not given away. */
  readonly contended: ReadonlySet<WorkerSlot>;
  readonly penalties: Penalties;
  readonly limits: MoveLimits;
}

/** Finds one move after the other that makes the load more even, and makes it. */
export class Leveller {
  private readonly sources: Map<WorkerSlot, UnitEntry[]>;

  constructor(
    private readonly input: LevellerInput,
    private readonly taking: readonly WorkerSlot[],
    private readonly meanCost: number,
  ) {
    this.sources = residentsOf(
      input.entries,
      taking.filter((slot) => !input.contended.has(slot)),
    );
  }

  /** The next move that may begin now. */
  next(figures: BalanceFigures): Candidate | null {
    const { limits } = this.input;
    return this.search(
      figures,
      (entry) => !limits.isCooling(entry),
      (target) => limits.accepts(target) && !limits.hasShare(target),
    );
  }

  /** What keeps the next move from beginning; null when there is none. */
  holdOf(figures: BalanceFigures): HoldReason | null {
    const { limits } = this.input;
    const next = this.search(figures, anything, (target) => !limits.hasShare(target));
    if (next !== null) return limits.isCooling(next.entry) ? 'cooldown' : 'in-flight';
    return this.search(figures, anything, anything) === null ? null : 'resting';
  }

  private search(
    figures: BalanceFigures,
    movable: (entry: UnitEntry) => boolean,
    accepts: (target: WorkerSlot) => boolean,
  ): Candidate | null {
    const search: Search = {
      sources: this.sources,
      targets: this.taking.filter((slot) => slot.rejects === null),
      penalties: this.input.penalties,
      meanCost: this.meanCost,
      movable: (entry) => !isMoving(entry) && movable(entry),
      accepts,
    };
    const byLoad = loadsLevel(figures) ? null : betterPlace(search, 'load');
    return byLoad ?? (allocationsLevel(figures) ? null : betterPlace(search, 'allocation'));
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
  preview(heldBy: HoldReason): HeldMove[] {
    const made: { candidate: Candidate; source: WorkerSlot }[] = [];
    for (
      let figures = this.figures();
      !withinStop(figures) && made.length < SHOWN;
      figures = this.figures()
    ) {
      const candidate = this.search(figures, anything, anything);
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

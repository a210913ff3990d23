import type { HeldMove, HoldReason } from '../contract/plan-result.js';
import type { PlannerState } from '../contract/planner-state.js';
import type { WorkerSlot } from '../load/worker-slot.js';
import { balanceFigures, beyondStart, withinStop } from './balance-bands.js';
import { Leveller, type LevellerInput } from './leveller.js';
import { meanCostOf } from './mean-cost.js';
import { mostMoves } from './most-moves.js';
import { participants } from './participants.js';

export interface LevelInput extends LevellerInput {
  readonly slots: readonly WorkerSlot[];
  readonly state: PlannerState;
  readonly now: number;
  /** It was asked for: it starts although the load is within the outer bands. */
  readonly requested: boolean;
  /** Why no move may begin at all, or null. */
  readonly heldBy: HoldReason | null;
}

export interface LevelResult {
  readonly levelling: PlannerState['levelling'];
  readonly held: readonly HeldMove[];
}

/**
 * Moves units to level the load, as far as the limits allow. Levelling starts when the load is beyond the outer bands, and
 * continues from plan to plan until the load is within the inner bands or no move helps. Without this latch every plan
 * would test the start condition again, and levelling would stop half-way.
 */
export function level(input: LevelInput): LevelResult {
  const { limits } = input;
  const taking = participants(input.slots);
  const meanCost = meanCostOf(input.entries);
  const begun = input.requested ? null : input.state.levelling;
  let figures = balanceFigures(taking, meanCost);
  const goesOn = begun !== null || input.requested || beyondStart(figures);
  const resting = begun !== null && begun.left <= 0;
  if (withinStop(figures) || !goesOn) return { levelling: resting ? begun : null, held: [] };

  const leveller = new Leveller(input, taking, meanCost);
  if (resting) return { levelling: begun, held: beyondStart(figures) ? leveller.preview('resting') : [] };
  const since = begun?.since ?? input.now;
  let left = begun?.left ?? mostMoves(taking, input.entries.length);
  let heldBy = input.heldBy;
  while (left > 0 && !withinStop(figures)) {
    heldBy ??= limits.holdsAll(true);
    if (heldBy !== null) break;
    const candidate = leveller.next(figures);
    if (candidate === null) {
      heldBy = leveller.holdOf(figures);
      if (heldBy === 'resting') left = 0;
      break;
    }
    leveller.move(candidate);
    limits.begin(candidate.target, true);
    left -= 1;
    figures = balanceFigures(taking, meanCost);
  }
  if (withinStop(figures)) return { levelling: null, held: [] };
  if (left === 0)
    return {
      levelling: { since: input.now, left },
      held: beyondStart(figures) ? leveller.preview('resting') : [],
    };
  const held = heldBy === null ? [] : leveller.preview(heldBy);
  return { levelling: held.length > 0 ? { since, left } : null, held };
}

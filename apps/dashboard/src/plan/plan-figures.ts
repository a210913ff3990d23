import type { PlanAnswer } from '../api/cluster-types.js';

/** A plan in a few numbers, including the entries that its answer omits. */
export interface PlanFigures {
  readonly steps: number;
  /** Steps that move a camera from one worker to another. */
  readonly moves: number;
  /** Whether more moves than the counted ones may exist. */
  readonly movesAreMore: boolean;
  readonly held: number;
  readonly unplaced: number;
  /** Highest minus lowest load, in percent. */
  readonly spread: number;
  /** Standard deviation of the loads, in percent. */
  readonly deviation: number;
}

export function planFigures({ actions, balance, held, omitted, unplaced }: PlanAnswer): PlanFigures {
  return {
    steps: actions.length + omitted.actions,
    moves: actions.filter(({ type }) => type === 'move').length,
    movesAreMore: omitted.actions > 0,
    held: held.length + omitted.held,
    unplaced: unplaced.length + omitted.unplaced,
    spread: Math.round(balance.spread * 1_000) / 10,
    deviation: Math.round(balance.deviation * 1_000) / 10,
  };
}

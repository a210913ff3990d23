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

/** What can be said of the load after a plan. */
export type LoadState = 'rebalancing' | 'balanced' | 'no-worker';

/** A full worker takes part in the balance. Without any worker that takes part, no load is balanced. */
export function loadState({ balance, scores }: Pick<PlanAnswer, 'balance' | 'scores'>): LoadState {
  if (balance.rebalancing) return 'rebalancing';
  return scores.some(({ rejects }) => rejects === null || rejects === 'capacity') ? 'balanced' : 'no-worker';
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

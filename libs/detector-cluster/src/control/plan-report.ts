import type { PlanPreview } from './master-controls.js';

/** Maximum number of entries of each list of a plan: it has to fit into one message, and people have to read it. */
const MOST = 1_000;

/** The lists that grow with the number of subscriptions. */
const LISTS = ['actions', 'held', 'unplaced', 'moves'] as const;

/** A plan of bounded size: the first 1,000 entries of each list, and how many were omitted. */
export interface PlanReport extends PlanPreview {
  /** Number of omitted entries by list; 0 for a complete list. */
  readonly omitted: Readonly<Record<(typeof LISTS)[number], number>>;
}

export function planReport(plan: PlanPreview, most = MOST): PlanReport {
  const { term, scores, balance, frozen, actions, held, unplaced, moves } = plan;
  return {
    term,
    actions: actions.slice(0, most),
    held: held.slice(0, most),
    unplaced: unplaced.slice(0, most),
    moves: moves.slice(0, most),
    scores,
    balance,
    frozen,
    omitted: Object.fromEntries(
      LISTS.map((list) => [list, Math.max(0, plan[list].length - most)]),
    ) as PlanReport['omitted'],
  };
}

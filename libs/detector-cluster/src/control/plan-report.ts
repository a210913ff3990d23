import type { PlanPreview } from './master-controls.js';

/** Most entries of each list of a plan that are handed out: it has to fit into one message, and into a person's head. */
const MOST = 1_000;

/** The lists that grow with the number of subscriptions. */
const LISTS = ['actions', 'held', 'unplaced', 'moves'] as const;

/** A plan of bounded size: up to 1,000 entries of each list, the first ones, and how many more there are. */
export interface PlanReport extends PlanPreview {
  /** Entries that are left out, by list; 0 where a list is whole. */
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

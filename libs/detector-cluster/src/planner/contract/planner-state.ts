/**
 * What a planner remembers from one plan to the next. Plain JSON: it is written down after each plan, and a successor
 * goes on from it. Times are milliseconds on the clock of `Rebalance.now`.
 */
export interface PlannerState {
  /** Since when the load is being levelled, and how many more moves that may take; null while it is not. With none left it rests. */
  readonly levelling: { readonly since: number; readonly left: number } | null;
  /** Unit id and the time until which it is not moved by choice; sorted by id, none that is over. */
  readonly cooldowns: readonly (readonly [unitId: string, until: number])[];
  /** Moves by choice that began in the current round, which bounds them. */
  readonly round: { readonly startedAt: number; readonly moves: number };
  /** Digest of which workers there are and in what state, and since when it is so. */
  readonly membership: { readonly digest: number; readonly since: number };
}

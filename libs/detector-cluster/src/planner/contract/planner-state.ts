/**
 * What a planner remembers from one plan to the next. Plain JSON: the master stores it after each plan, and a successor
 * continues from it. Times are milliseconds on the clock of `Rebalance.now`.
 */
export interface PlannerState {
  /** Start of levelling, and how many more moves it may make; null while it is inactive. Levelling pauses when none are left. */
  readonly levelling: { readonly since: number; readonly left: number } | null;
  /** Unit id and the end of its cooldown for moves by choice; sorted by id, without expired entries. */
  readonly cooldowns: readonly (readonly [unitId: string, until: number])[];
  /** Moves by choice that began in the current round, which bounds them. */
  readonly round: { readonly startedAt: number; readonly moves: number };
  /** Digest of the workers and their states, and the time of its last change. */
  readonly membership: { readonly digest: number; readonly since: number };
}

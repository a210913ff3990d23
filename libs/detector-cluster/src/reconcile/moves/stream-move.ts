import type { LeaveReason, PlanMove } from '../../planner/plan.types.js';

/** The command that the new worker of a moving unit was sent for one subscription. */
export interface ToldStream {
  /** Hash of the specification that was sent. */
  readonly specHash: string;
  /** When it was first sent without being confirmed; null when nothing is pending. Monotonic milliseconds. */
  readonly sentAt: number | null;
  readonly attempts: number;
}

/** A move under way: the unit runs at `from` until `to` shows all of it. */
export interface StreamMove extends PlanMove {
  readonly reason: LeaveReason;
  /** Wall clock, milliseconds. */
  readonly since: number;
  /** Deadline of the move. Monotonic milliseconds. */
  readonly deadline: number;
  /** Subscription → the command that `to` was sent. */
  readonly told: ReadonlyMap<string, ToldStream>;
}

/** How long `to` may take to show the whole unit. Milliseconds. */
export const MOVE_TIMEOUT = 15_000;

/** A move that has ended. */
export interface EndedMove {
  readonly move: StreamMove;
  /**
   * `finished`: it runs at `to`. `taken-over`: `from` is gone, so it is an ordinary subscription of `to` now. `failed`: `to`
   * did not report it in time. `aborted`: `to` can no longer take it. `not-desired`: the unit is no longer desired.
   */
  readonly outcome: 'finished' | 'taken-over' | 'failed' | 'aborted' | 'not-desired';
}

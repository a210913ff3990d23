import type { LeaveReason } from '../../planner/contract/plan-result.js';
import type { PlanMove } from '../../planner/contract/plan-input.js';

/** What the new worker of a unit that moves has been told of one subscription. */
export interface ToldStream {
  /** Hash of the specification that was sent. */
  readonly specHash: string;
  /** When it was first sent and not seen since; null when nothing is awaited. Monotonic milliseconds. */
  readonly sentAt: number | null;
  readonly attempts: number;
}

/** A move under way: the unit runs at `from` until `to` shows all of it. */
export interface StreamMove extends PlanMove {
  readonly reason: LeaveReason;
  /** Wall clock, milliseconds. */
  readonly since: number;
  /** When it is given up. Monotonic milliseconds. */
  readonly deadline: number;
  /** Subscription → what `to` was told. */
  readonly told: ReadonlyMap<string, ToldStream>;
}

/** How long `to` may take until it shows all of a unit. Milliseconds. */
export const MOVE_TIMEOUT = 15_000;

/** A move that is over. */
export interface EndedMove {
  readonly move: StreamMove;
  /**
   * `finished`: it runs at `to`. `taken-over`: `from` is gone, so it is an ordinary subscription of `to` now. `failed`: `to`
   * did not report it in time. `aborted`: `to` can no longer take it. `not-desired`: the unit is no longer desired.
   */
  readonly outcome: 'finished' | 'taken-over' | 'failed' | 'aborted' | 'not-desired';
}

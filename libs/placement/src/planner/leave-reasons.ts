/** Why a unit does not stay where it is. */
export const LEAVE_REASONS = [
  'worker-removed',
  'worker-offline',
  'selector',
  'penalty',
  'over-capacity',
  /** A unit of higher priority took its place. */
  'preempted',
  'drain',
  /** To balance the load. */
  'balance',
  /** It is placed, but not desired. */
  'not-desired',
] as const;

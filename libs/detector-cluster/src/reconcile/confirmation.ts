/**
 * The protocol has no acknowledgement: a state report that shows the subscription confirms a subscribe. Until then the master
 * resends it after these delays, counted from the first send, and gives up at the deadline. Milliseconds.
 */
export const RESEND_AFTER = [4_000, 7_000] as const;
export const CONFIRMATION_DEADLINE = 10_000;

/** The master resends an unsubscribe while reports still show the stream. */
export const UNSUBSCRIBE_RESEND = 4_000;

const PENALTY_BASE = 60_000;
/** Milliseconds. */
export const LONGEST_PENALTY = 600_000;

/** How long a worker is skipped after it did not take a unit for the `count`th time. */
export function penaltyDuration(count: number): number {
  return Math.min(LONGEST_PENALTY, PENALTY_BASE * 2 ** Math.min(count - 1, 10));
}

const SLOW_RESEND = 30_000;

export interface Due {
  /** Send it (again) now. */
  readonly send: boolean;
  /** The deadline has passed, so the worker counts as refusing it. */
  readonly refused: boolean;
  /** When to check again, provided that the caller obeys `send`. */
  readonly until: number;
}

/**
 * The next step for an unconfirmed subscribe that was first sent at `sentAt`, `attempts` times so far. After the deadline it
 * is still offered every 30 s if no other worker can take it.
 */
export function confirmationDue(sentAt: number, attempts: number, now: number): Due {
  const slow = Math.max(0, attempts - RESEND_AFTER.length - 1);
  const times = [...RESEND_AFTER, ...[1, 2].map((n) => CONFIRMATION_DEADLINE + SLOW_RESEND * (slow + n))];
  const index = Math.min(attempts - 1, RESEND_AFTER.length);
  const elapsed = now - sentAt;
  const send = elapsed >= times[index]!;
  const refused = elapsed >= CONFIRMATION_DEADLINE;
  const next = times[send ? index + 1 : index]!;
  return { send, refused, until: sentAt + (refused ? next : Math.min(next, CONFIRMATION_DEADLINE)) };
}

/**
 * The protocol has no acknowledgement: a subscribe is confirmed when a state report shows it. Until then it is sent again
 * after these delays from the first time, and given up at the deadline. Milliseconds.
 */
export const RESEND_AFTER = [4_000, 7_000] as const;
export const CONFIRMATION_DEADLINE = 10_000;

/** An unsubscribe is sent again while reports still show the stream. */
export const UNSUBSCRIBE_RESEND = 4_000;

const PENALTY_BASE = 60_000;
/** Milliseconds. */
export const LONGEST_PENALTY = 600_000;

/** How long a worker that did not take a unit for the `count`th time is passed over. */
export function penaltyDuration(count: number): number {
  return Math.min(LONGEST_PENALTY, PENALTY_BASE * 2 ** Math.min(count - 1, 10));
}

const SLOW_RESEND = 30_000;

export interface Due {
  /** Send it (again) now. */
  readonly send: boolean;
  /** The deadline has passed: the worker refuses it. */
  readonly refused: boolean;
  /** When to look again, given that `send` is obeyed. */
  readonly until: number;
}

/**
 * What is due for a subscribe that was first sent at `sentAt`, `attempts` times so far, and not seen yet. One that is past
 * its deadline and cannot be placed elsewhere is still offered every 30 s.
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

import type { DesiredEntry, ReportedStream, TrackedSubscription, WorkerObservation } from './observation.js';

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
export const MAX_PENALTY = 600_000;

/** How long a worker is skipped after it did not take a unit for the `count`th time. */
export function penaltyDuration(count: number): number {
  return Math.min(PENALTY_BASE * 2 ** (count - 1), MAX_PENALTY);
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

/** Whether the master may send commands to a worker and compare its reports with them. */
export function isCommandable({ current, liveness }: WorkerObservation): boolean {
  return current && (liveness === 'Ready' || liveness === 'Quarantined');
}

/** The state of one subscription in the worker's reports over the present connection. */
export interface Shown {
  /** The reports show it, and the worker had read the last subscribe when it sent them, or reports which one it had read. */
  readonly seen: boolean;
  readonly online: boolean;
  /** It runs, but the master does not know the command that the worker got: its specification may be stale. */
  readonly unverified: boolean;
  /** The worker reports the fingerprint of this specification; or the master sent it, and the report does not contradict it. */
  readonly agrees: boolean;
  readonly modelState?: ReportedStream['modelState'] | undefined;
  readonly problem?: string | undefined;
}

/** Replaces the hash of the sent command: the master has to send it again, whatever the worker reports. */
export const RENEW = 'renew';

/** `memory`: what the master sent to the worker, and when. */
export function shownAt(
  { spec, hash }: DesiredEntry,
  memory: Pick<TrackedSubscription, 'specHash' | 'sentAt'>,
  worker: WorkerObservation,
): Shown {
  const stream = worker.current ? worker.reported.get(spec.subscriptionIdentifier) : undefined;
  if (stream === undefined) return { seen: false, online: false, unverified: false, agrees: false };
  const { modelState, online, problem } = stream;
  if (stream.fingerprint !== null)
    return {
      modelState,
      problem,
      seen: true,
      online,
      unverified: false,
      agrees: stream.fingerprint === hash && memory.specHash !== RENEW,
    };
  return {
    modelState,
    problem,
    seen: memory.sentAt === null || worker.reportsDue.get(spec.subscriptionIdentifier) === 0,
    online,
    unverified: memory.specHash === '',
    agrees: memory.specHash === hash && (stream.modelId === null || stream.modelId === spec.modelId),
  };
}

/** Whether a pending subscribe was lost: its connection broke, or it could not be written in time. */
export function isLost(
  id: string,
  { sentAt }: Pick<TrackedSubscription, 'sentAt'>,
  worker: WorkerObservation,
): boolean {
  return sentAt !== null && !worker.reportsDue.has(id);
}

import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

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
  if (stream.fingerprint !== null)
    return {
      seen: true,
      online: stream.online,
      unverified: false,
      agrees: stream.fingerprint === hash && memory.specHash !== RENEW,
    };
  return {
    seen: memory.sentAt === null || worker.reportsDue.get(spec.subscriptionIdentifier) === 0,
    online: stream.online,
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

import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

/** Whether commands may be sent to a worker, and what it reports compared with what it was sent. */
export function isCommandable({ current, liveness }: WorkerObservation): boolean {
  return current && (liveness === 'Ready' || liveness === 'Quarantined');
}

/** What a worker's reports over the present connection say of one subscription. */
export interface Shown {
  /** The worker's reports show it, and it had read the last subscribe when it sent them, or says which one it had read. */
  readonly seen: boolean;
  readonly online: boolean;
  /** It runs, but the command that the worker got is not known: its specification may be an old one. */
  readonly unverified: boolean;
  /** The worker repeats the fingerprint of this specification; or it was sent this one, and reports nothing that contradicts it. */
  readonly agrees: boolean;
}

/** Replaces the hash of the sent command: the master has to send it again, whatever the worker reports. */
export const RENEW = 'renew';

/** `memory`: what the worker was sent and when. */
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

/** Whether a subscribe that has to be confirmed was lost: with its connection, or because it could not be written in time. */
export function isLost(
  id: string,
  { sentAt }: Pick<TrackedSubscription, 'sentAt'>,
  worker: WorkerObservation,
): boolean {
  return sentAt !== null && !worker.reportsDue.has(id);
}

import type { DesiredEntry, TrackedSubscription, WorkerObservation } from './observation.js';

/** Whether commands may be sent to a worker, and what it reports compared with what it was sent. */
export function isCommandable({ current, liveness }: WorkerObservation): boolean {
  return current && (liveness === 'Ready' || liveness === 'Quarantined');
}

/** What a worker's reports over the present connection say of one subscription. */
export interface Shown {
  /** A report that came after the last command shows it. */
  readonly seen: boolean;
  readonly online: boolean;
  /** It runs, but nobody remembers what the worker was told: its specification may be an old one. */
  readonly unverified: boolean;
  /** The worker was told this specification, and reports nothing that contradicts it. */
  readonly agrees: boolean;
}

/** `memory`: what the worker was told and when. */
export function shownAt(
  { spec, hash }: DesiredEntry,
  memory: Pick<TrackedSubscription, 'specHash' | 'sentAt'>,
  worker: WorkerObservation,
): Shown {
  const stream = worker.current ? worker.reported.get(spec.subscriptionIdentifier) : undefined;
  if (stream === undefined) return { seen: false, online: false, unverified: false, agrees: false };
  return {
    seen: memory.sentAt === null || (worker.reportAt ?? 0) > memory.sentAt,
    online: stream.online,
    unverified: memory.specHash === '',
    agrees: memory.specHash === hash && (stream.modelId === null || stream.modelId === spec.modelId),
  };
}

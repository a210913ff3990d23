import type { ActualCameraSubscription } from '../model/subscriptions.js';
import type { TrackedSubscription } from './observation.js';

/** The value in `worker:actual_subscriptions`, from which a successor continues. */
export function toActual(
  subscriptionIdentifier: string,
  tracked: TrackedSubscription,
  facts: { readonly modelUrl: string; readonly lastSeen: number | null; readonly term: number },
  iso: IsoTimes = isoTime,
): ActualCameraSubscription {
  return {
    subscriptionIdentifier,
    assignedWorkerUrl: tracked.workerUrl,
    modelUrl: facts.modelUrl,
    status: tracked.status,
    reason: tracked.reason,
    since: iso(tracked.since),
    assignedAt: tracked.assignedAt === 0 ? '' : iso(tracked.assignedAt),
    lastSeen: facts.lastSeen === null ? '' : iso(facts.lastSeen),
    specHash: tracked.specHash,
    ...(tracked.sentAt !== null && { unconfirmed: true as const }),
    term: facts.term,
    holder: tracked.holder,
  };
}

/** The memory of the previous master, as far as it is still valid; null when the record is unreadable. */
export function fromActual(
  text: string,
): (TrackedSubscription & { readonly lastSeen: number | null; readonly modelUrl: string }) | null {
  let record: Partial<ActualCameraSubscription>;
  try {
    record = JSON.parse(text) as Partial<ActualCameraSubscription>;
  } catch {
    return null;
  }
  if (record === null || typeof record !== 'object' || typeof record.assignedWorkerUrl !== 'string')
    return null;
  const statuses = ['active', 'pending', 'failed', 'recovering'] as const;
  return {
    workerUrl: record.assignedWorkerUrl,
    specHash: specHashOf(record),
    sentAt: null,
    attempts: 0,
    offline: null,
    confirmed: record.status === 'active',
    holder: typeof record.holder === 'string' ? record.holder : '',
    status: statuses.find((status) => status === record.status) ?? 'pending',
    reason: typeof record.reason === 'string' ? record.reason : '',
    since: time(record.since),
    assignedAt: time(record.assignedAt),
    lastSeen: time(record.lastSeen) || null,
    modelUrl: typeof record.modelUrl === 'string' ? record.modelUrl : '',
  };
}

/** A hash that matches no specification: a successor cannot know that the command reached the worker, so it sends it again. */
function specHashOf({ specHash, unconfirmed }: Partial<ActualCameraSubscription>): string {
  if (unconfirmed === true) return 'unconfirmed';
  return typeof specHash === 'string' ? specHash : '';
}

/** Milliseconds since 1970 as text. */
export type IsoTimes = (at: number) => string;

const isoTime: IsoTimes = (at) => new Date(at).toISOString();

/** Caches parsed times: many records share a few times, and parsing a time costs more than the rest of a record. */
export function isoTimes(): IsoTimes {
  const known = new Map<number, string>();
  return (at) => {
    const text = known.get(at) ?? isoTime(at);
    known.set(at, text);
    return text;
  };
}

/** 0 if the text is not a time. */
const time = (value: unknown): number =>
  typeof value === 'string' && value !== '' ? Date.parse(value) || 0 : 0;

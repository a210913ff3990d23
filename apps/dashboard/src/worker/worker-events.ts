import type { EventItem } from '@detector-cluster/dashboard-protocol';
import { workerName } from '../overview/workers/worker-name.js';

/** The fields of an event that can name a worker by its URL. */
const URL_FIELDS = ['url', 'from', 'to'] as const;

/** The events that name the worker: its own, moves of cameras to and from it, and the actions of operators on it. */
export function eventsOfWorker(events: readonly EventItem[], url: string): readonly EventItem[] {
  // An operator may name a worker by its host and port.
  const names: readonly unknown[] = [url, workerName(url)];
  return events.filter(
    (event) => URL_FIELDS.some((field) => event[field] === url) || names.includes(event.target),
  );
}

/** The fields of an event that can name a worker by its URL. */
const URL_FIELDS = ['url', 'from', 'to'] as const;

/** Whether an event names the worker: its own events, moves of cameras from it and to it, and the actions of operators on it. */
export function namesWorker(event: Readonly<Record<string, unknown>>, url: string): boolean {
  if (URL_FIELDS.some((field) => event[field] === url)) return true;
  // An operator may name a worker by the host and port of its URL.
  return event.target === url || (URL.canParse(url) && event.target === new URL(url).host);
}

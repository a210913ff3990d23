import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { computed } from '@preact/signals';
import { feed } from '../feed/feed.js';
import { routeHref } from '../shell/route.js';
import { formatInstant } from '../time/instant.js';
import type { Tone } from '../ui/badge.js';
import { hasWords, wordsOf } from '../wording/words.js';

/** The URL without the scheme and a trailing slash, which nearly all workers share. */
export function workerAddress(url: string): string {
  return url.replace(/^wss?:\/\//, '').replace(/\/$/, '');
}

/** A text, because it equals the last one as long as no name changes. */
const namesText = computed(() =>
  JSON.stringify(
    Object.values(feed.workers.value).flatMap(({ url, name }) => (name === undefined ? [] : [[url, name]])),
  ),
);

/** Worker URL → what its operator calls it. */
export const workerNames = computed(() => new Map(JSON.parse(namesText.value) as [string, string][]));

/** `Rack 1 (worker1:8000)`; the address alone of a worker without a name. */
export function workerName(url: string): string {
  const name = workerNames.value.get(url);
  return name === undefined ? workerAddress(url) : `${name} (${workerAddress(url)})`;
}

/** What a record names by the URL of a worker, because names may change; any other text as it is. */
export function namedWorker(text: string): string {
  return workerNames.value.has(text) ? workerName(text) : text;
}

/** The address of a worker's page. */
export function workerHref(url: string): string {
  return routeHref('worker', { url });
}

const collator = new Intl.Collator('en', { numeric: true });

/** By name, numbers by their value. A worker's place does not depend on its state, so that readers find it again. */
export function byName(a: string, b: string): number {
  return collator.compare(workerName(a), workerName(b));
}

/** The worst state first. */
const STATES: readonly WorkerRow['state'][] = ['Offline', 'Suspect', 'Quarantined', 'Connecting', 'Ready'];

export type WorkerSort = 'name' | 'state' | 'cpu' | 'memory' | 'gpu' | 'gpuMemory' | 'load';

/** The lowest comes first: the worst state, or the highest figure. An unknown figure comes last. */
const rankOf: Readonly<Record<WorkerSort, (worker: WorkerRow) => number>> = {
  name: () => 0,
  state: ({ state, standing }) => 2 * STATES.indexOf(state) + (standing === 'open' ? 1 : 0),
  cpu: ({ cpuUsage }) => -(cpuUsage ?? -1),
  memory: ({ memoryUsage }) => -(memoryUsage ?? -1),
  gpu: ({ gpuUsage }) => -(gpuUsage ?? -1),
  gpuMemory: ({ gpuMemoryUsage }) => -(gpuMemoryUsage ?? -1),
  load: ({ subscriptionCount }) => -subscriptionCount,
};

/** Workers of one rank keep their order. @param workers in the order of their names */
export function sortWorkers(workers: readonly WorkerRow[], sort: WorkerSort): readonly WorkerRow[] {
  const rank = rankOf[sort];
  return workers.toSorted((a, b) => rank(a) - rank(b));
}

/** The workers whose names and addresses have all words of the text. */
export function findWorkers(workers: readonly WorkerRow[], text: string): readonly WorkerRow[] {
  const words = wordsOf(text);
  if (words.length === 0) return workers;
  return workers.filter(({ url }) => hasWords(workerName(url), words));
}

export const STATE_TONES: Readonly<Record<WorkerRow['state'], Tone>> = {
  Connecting: 'info',
  Ready: 'ok',
  Suspect: 'warn',
  Offline: 'bad',
  Quarantined: 'warn',
};

/** The meaning of a state, as a tooltip. */
export const STATE_TEXTS: Readonly<Record<WorkerRow['state'], string>> = {
  Connecting: 'The master has not received its first report yet',
  Ready: 'Connected and reporting on time',
  Suspect: 'Connection lost or no reports: keeps its subscriptions, gets no new ones',
  Offline: 'No reports for too long: other workers take its subscriptions if they can',
  Quarantined: 'Flapping, or sends too much: gets no new subscriptions for a while',
};

export const STANDING_TEXTS: Readonly<Record<WorkerRow['standing'], string>> = {
  open: 'Accepts subscriptions',
  cordoned: 'Cordoned by an operator: gets no new subscriptions',
  draining: 'Drained by an operator: its subscriptions move to other workers',
};

const ISO_INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The problem of a worker, with its times as the page shows times. */
export function problemText(problem: string): string {
  return problem.replace(ISO_INSTANT, (iso) => formatInstant(Date.parse(iso)));
}

/** What a worker has sent beyond its budget. */
export function excessText({ pauses, dropped, oversized }: NonNullable<WorkerRow['excess']>): string {
  const parts: readonly (readonly [number, string])[] = [
    [pauses, 'pauses of its socket'],
    [dropped, 'detections dropped'],
    [oversized, 'detections refused for their size'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-GB')} ${what}`)
    .join(', ');
}

/** Whether an operator should look at it. */
export function needsAttention({ state, standing }: WorkerRow): boolean {
  return state !== 'Ready' || standing !== 'open';
}

import { get, type AppProcess, type RecentDetection } from '@detector-cluster/local-cluster';

/** A backend returns at most this many at once, so it must be configured to keep no more. */
const PAGE = 1_000;

/** Reads the recent detections that reached the backends' callbacks. */
export async function recentDetections(backends: readonly AppProcess[]): Promise<RecentDetection[]> {
  const pages = await Promise.all(
    backends.map(({ url }) => get<{ items: RecentDetection[] }>(url, `/api/detections/recent?limit=${PAGE}`)),
  );
  return pages.flatMap(({ items }) => items);
}

/** Term of the master that read it: the first part of its id. */
export function termOf({ detectionId }: Pick<RecentDetection, 'detectionId'>): number {
  return Number(detectionId.slice(0, detectionId.indexOf('-')));
}

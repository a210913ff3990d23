import { get, type AppProcess, type RecentDetection } from '@detector-cluster/local-cluster';

/** As many as a backend hands out at once; it must be told to keep no more. */
const PAGE = 1_000;

/** What the backends keep of the detections that reached their callbacks. */
export async function recentDetections(backends: readonly AppProcess[]): Promise<RecentDetection[]> {
  const pages = await Promise.all(
    backends.map(({ url }) => get<{ items: RecentDetection[] }>(url, `/api/detections/recent?limit=${PAGE}`)),
  );
  return pages.flatMap(({ items }) => items);
}

/** Of the master that read it: the first part of its id. */
export function termOf({ detectionId }: Pick<RecentDetection, 'detectionId'>): number {
  return Number(detectionId.slice(0, detectionId.indexOf('-')));
}

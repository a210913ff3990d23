import type { DetectionItem } from '@detector-cluster/dashboard-protocol';

/** The period of the rate. Milliseconds. */
const WINDOW = 10_000;

/**
 * Detections a second among these, which come oldest first, in the time before `now` (milliseconds since 1970, by the clock
 * that `receivedAt` is of). What is kept may reach less far back than that time: then over as much as there is of it.
 */
export function detectionRate(
  items: readonly DetectionItem[],
  kept: readonly DetectionItem[],
  now: number,
): number {
  const [oldest] = kept;
  if (oldest === undefined) return 0;
  const since = Math.max(now - WINDOW, Date.parse(oldest.receivedAt) || 0);
  if (since >= now) return 0;
  const recent = items.filter(({ receivedAt }) => Date.parse(receivedAt) >= since).length;
  return recent / Math.max(1, (now - since) / 1_000);
}

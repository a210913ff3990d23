import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { hasWords, wordsOf } from '../wording/words.js';

/** Detections of one subscription (empty: of all) that contain all words of a text. */
export function findDetections(
  items: readonly DetectionItem[],
  { text, subscription }: { readonly text: string; readonly subscription: string },
): readonly DetectionItem[] {
  const words = wordsOf(text);
  if (words.length === 0 && subscription === '') return items;
  return items.filter(({ subscriptionIdentifier, workerUrl, processId, label, summary }) => {
    if (subscription !== '' && subscriptionIdentifier !== subscription) return false;
    return hasWords([subscriptionIdentifier, workerUrl, processId, label ?? '', summary].join('\n'), words);
  });
}

/** The period of the rate. Milliseconds. */
const WINDOW = 10_000;

/**
 * Detections per second among `items` in the ten seconds before `now` (milliseconds since 1970, by the clock of
 * `receivedAt`). If `kept`, oldest first, does not reach back that far, the rate covers only the time since its first item.
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

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

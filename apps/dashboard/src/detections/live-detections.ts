import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { workerName } from '../overview/workers.js';
import { hasWords, wordsOf } from '../wording/words.js';

/** Detections that contain all words of a text. */
export function findDetections(items: readonly DetectionItem[], text: string): readonly DetectionItem[] {
  const words = wordsOf(text);
  if (words.length === 0) return items;
  return items.filter(({ subscriptionIdentifier, workerUrl, processId, label, summary }) => {
    const texts = [subscriptionIdentifier, workerUrl, workerName(workerUrl), processId, label ?? '', summary];
    return hasWords(texts.join('\n'), words);
  });
}

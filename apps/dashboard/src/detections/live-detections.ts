import type { DetectionItem } from '@detector-cluster/dashboard-protocol';
import { hasWords, wordsOf } from '../wording/words.js';

/** Detections that contain all words of a text. */
export function findDetections(items: readonly DetectionItem[], text: string): readonly DetectionItem[] {
  const words = wordsOf(text);
  if (words.length === 0) return items;
  return items.filter(({ subscriptionIdentifier, workerUrl, processId, label, summary }) =>
    hasWords([subscriptionIdentifier, workerUrl, processId, label ?? '', summary].join('\n'), words),
  );
}

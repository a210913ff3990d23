import type { DetectionItem } from '@detector-cluster/dashboard-protocol';

/** Detections of one subscription (empty: of all) that contain all words of a text. */
export function findDetections(
  items: readonly DetectionItem[],
  { text, subscription }: { readonly text: string; readonly subscription: string },
): readonly DetectionItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && subscription === '') return items;
  return items.filter(({ subscriptionIdentifier, workerUrl, processId, label, summary }) => {
    if (subscription !== '' && subscriptionIdentifier !== subscription) return false;
    const searched = [subscriptionIdentifier, workerUrl, processId, label ?? '', summary]
      .join('\n')
      .toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

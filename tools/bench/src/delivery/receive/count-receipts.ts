import type { ReceiptList } from './receipts.js';

export interface Arrivals {
  /** Detections that no receiver got. */
  readonly lost: number;
  /** Detections that arrived more than once. */
  readonly duplicates: number;
}

/**
 * Compares the detections of all receivers together with the sent ones.
 * @param first number of the first detection sent
 * @param isExpected whether a number should have arrived; default all
 */
export function countReceipts(
  lists: readonly ReceiptList[],
  first: number,
  sent: number,
  isExpected: (n: number) => boolean = () => true,
): Arrivals {
  const seen = lists.map((list) => Buffer.from(list.seen, 'base64'));
  let lost = 0;
  let duplicates = lists.reduce((sum, list) => sum + list.duplicates, 0);
  for (let index = 0; index < sent; index++) {
    const times = seen.filter((bytes) => has(bytes, index)).length;
    if (times > 1) duplicates += times - 1;
    if (times === 0 && isExpected(first + index)) lost++;
  }
  return { lost, duplicates };
}

function has(bytes: Buffer, index: number): boolean {
  return ((bytes[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

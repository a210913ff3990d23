/** Which detections of a phase have arrived, in a form for IPC. */
export interface ReceiptList {
  /** Base64 of one bit per detection. */
  readonly seen: string;
  /** Including late ones of earlier phases. */
  readonly duplicates: number;
}

/** Notes which numbers from `first` on have arrived. */
export class Receipts {
  private seen = new Uint8Array(1 << 12);
  private last = -1;
  private duplicates = 0;

  constructor(private readonly first: number) {}

  take(n: number): void {
    const index = n - this.first;
    const byte = index >> 3;
    const bit = 1 << (index & 7);
    while (byte >= this.seen.length) {
      const larger = new Uint8Array(this.seen.length * 2);
      larger.set(this.seen);
      this.seen = larger;
    }
    if (index < 0 || (this.seen[byte]! & bit) !== 0) this.duplicates++;
    else {
      this.seen[byte]! |= bit;
      if (byte > this.last) this.last = byte;
    }
  }

  list(): ReceiptList {
    return {
      seen: Buffer.from(this.seen.subarray(0, this.last + 1)).toString('base64'),
      duplicates: this.duplicates,
    };
  }
}

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

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

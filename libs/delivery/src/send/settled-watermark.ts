/** A detection of a worker that numbers them, on its way. */
interface Underway {
  readonly seq: number;
  isSettled: boolean;
}

/**
 * Up to which number all detections that one connection of a worker has brought are settled: in the log, or refused for good. It never
 * passes one whose outcome is open, because the worker forgets what is confirmed.
 */
export class SettledWatermark {
  /** The highest number that has come. */
  last = 0;
  private settled = 0;
  private underway: Underway[] = [];
  private head = 0;

  /** @param onRisen called when {@link upTo} has risen */
  constructor(private readonly onRisen: () => void) {}

  /** 0 before the first is settled. */
  get upTo(): number {
    return this.settled;
  }

  /** Takes a number above {@link last}. Returns a function that settles it; without a call, it stays open. */
  take(seq: number): () => void {
    this.last = seq;
    const taken: Underway = { seq, isSettled: false };
    this.underway.push(taken);
    return () => {
      taken.isSettled = true;
      if (this.underway[this.head] === taken) this.advance();
    };
  }

  private advance(): void {
    for (; this.underway[this.head]?.isSettled === true; this.head++)
      this.settled = this.underway[this.head]!.seq;
    if (this.head * 2 > this.underway.length) {
      this.underway = this.underway.slice(this.head);
      this.head = 0;
    }
    this.onRisen();
  }
}

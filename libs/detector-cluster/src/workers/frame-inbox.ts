/** How long frames are read in one turn of the event loop. Milliseconds. */
const SLICE = 5;

/** Reads one frame of a connection. */
export type ReadFrame = (frame: Buffer) => void;

/**
 * Frames of many connections, read in slices of the event loop. The reports of a thousand workers can arrive in one turn of the loop;
 * read at once, they would hold up the lease and everything else for as long as they take together. Frames of one connection keep
 * their order.
 */
export class FrameInbox {
  private readonly waiting = new Map<ReadFrame, Buffer[]>();
  private turn: NodeJS.Immediate | undefined;
  private left = SLICE;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Reads the frame now, or in a later turn if the frames of this turn have taken their time. */
  take(read: ReadFrame, frame: Buffer): void {
    this.turn ??= setImmediate(() => this.nextTurn());
    const before = this.waiting.get(read);
    if (before !== undefined) before.push(frame);
    else if (this.left > 0) this.run(read, frame);
    else this.waiting.set(read, [frame]);
  }

  /** How many frames of a connection wait. */
  countOf(read: ReadFrame): number {
    return this.waiting.get(read)?.length ?? 0;
  }

  /** Reads all waiting frames of a connection. */
  finish(read: ReadFrame): void {
    const frames = this.waiting.get(read) ?? [];
    this.waiting.delete(read);
    for (const frame of frames) this.run(read, frame);
  }

  private nextTurn(): void {
    this.turn = undefined;
    this.left = SLICE;
    for (const [read, frames] of this.waiting) {
      if (this.left <= 0) break;
      this.waiting.delete(read);
      const [first, ...rest] = frames;
      // Removes the frame before it is read, because more frames or the end of the connection may arrive during the read.
      if (rest.length > 0) this.waiting.set(read, rest);
      this.run(read, first!);
    }
    if (this.waiting.size > 0) this.turn ??= setImmediate(() => this.nextTurn());
  }

  private run(read: ReadFrame, frame: Buffer): void {
    const began = this.now();
    try {
      read(frame);
    } finally {
      this.left -= this.now() - began;
    }
  }
}

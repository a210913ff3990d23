import type { Framing } from './framing.js';

/** Counts the messages of one connection, for any division into chunks. */
export class FrameCounter {
  count = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly framing: Framing) {}

  read(chunk: Buffer): void {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    for (;;) {
      const frame = this.rest.length > 0 ? this.framing(this.rest) : undefined;
      if (!frame || frame.length > this.rest.length) return;
      this.rest = this.rest.subarray(frame.length);
      if (frame.counts) this.count++;
    }
  }
}

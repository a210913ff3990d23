import { MARK, signature } from './frame-codec.js';
import type { GroupMessage } from './message.js';

/** Writes the frames of one direction of a connection: JSON with an increasing counter, signed if there is a key. */
export class FrameWriter {
  private count = 0;

  constructor(private readonly key: Buffer | null) {}

  write(message: GroupMessage): string {
    const text = `${JSON.stringify(message).slice(0, -1)},"n":${++this.count}`;
    return this.key ? `${text}${MARK}${signature(this.key, text)}"}` : `${text}}`;
  }
}

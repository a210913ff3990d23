import { type FrameFault, isSignature, MARK, SUFFIX } from './frame-codec.js';
import { type GroupMessage, messageSchema, WIRE_VERSION } from './message.js';

/** Reads the frames at the other end. Reports an invalid frame as a fault, never as an exception. */
export class FrameReader {
  private last = 0;

  constructor(
    private readonly key: Buffer | null,
    private readonly group: string,
  ) {}

  read(frame: string): GroupMessage | FrameFault {
    // Check the signature first, so that only frames from senders that know the secret are interpreted.
    if (this.key) {
      const text = frame.slice(0, -SUFFIX);
      const given = frame.slice(-SUFFIX);
      if (!given.startsWith(MARK) || !given.endsWith('"}')) return parse(frame) ? 'unsigned' : 'malformed';
      if (!isSignature(given.slice(MARK.length, -2), this.key, text)) return 'forged';
    }
    const value = parse(frame);
    if (!value) return 'malformed';
    if (typeof value.v === 'number' && value.v !== WIRE_VERSION) return 'version';
    if (typeof value.n !== 'number') return 'malformed';
    if (value.n <= this.last) return 'replayed';
    this.last = value.n;
    if (typeof value.group === 'string' && value.group !== this.group) return 'other-group';
    const message = messageSchema.safeParse(value);
    return message.success ? message.data : 'malformed';
  }
}
function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

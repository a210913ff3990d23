import { createHmac, timingSafeEqual } from 'node:crypto';
import { type GroupMessage, messageSchema, WIRE_VERSION } from './message.js';

/** Keys of one connection, one for each direction. A signature for one is invalid on any other. */
interface ChannelKeys {
  readonly dialler: Buffer;
  readonly listener: Buffer;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

/** @param dialler, listener Random values that the two ends made for this connection. */
export function channelKeys(secret: string, dialler: string, listener: string): ChannelKeys {
  const derive = (from: string) => hmac(secret, `${from}|${dialler}|${listener}`).digest();
  return { dialler: derive('dialler'), listener: derive('listener') };
}

/** 43 characters. */
export function signature(key: string | Buffer, text: string): string {
  return hmac(key, text).digest('base64url');
}

export function isSignature(given: string, key: string | Buffer, text: string): boolean {
  const expected = Buffer.from(signature(key, text));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/**
 * Why a frame was dropped: `malformed`: not a message; `oversized`: longer than allowed; `unsigned`: no signature; `forged`: a wrong
 * signature (another secret, or a changed frame); `replayed`: a copy of an accepted frame; `version`: another protocol version;
 * `other-group`: a message of another group.
 */
export const FRAME_FAULTS = [
  'malformed',
  'oversized',
  'unsigned',
  'forged',
  'replayed',
  'version',
  'other-group',
] as const;

export type FrameFault = (typeof FRAME_FAULTS)[number];

/** A signed frame ends with `,"mac":"<43 characters>"}`. The signature covers everything before that. */
const MARK = ',"mac":"';
const SUFFIX = MARK.length + 43 + '"}'.length;

/** Writes the frames of one direction of a connection: JSON with an increasing counter, signed if there is a key. */
export class FrameWriter {
  private count = 0;

  constructor(private readonly key: Buffer | null) {}

  write(message: GroupMessage): string {
    const text = `${JSON.stringify(message).slice(0, -1)},"n":${++this.count}`;
    return this.key ? `${text}${MARK}${signature(this.key, text)}"}` : `${text}}`;
  }
}

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

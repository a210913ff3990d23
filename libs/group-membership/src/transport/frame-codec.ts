import { createHmac, timingSafeEqual } from 'node:crypto';

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
export const MARK = ',"mac":"';
export const SUFFIX = MARK.length + 43 + '"}'.length;

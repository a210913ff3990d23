import { createHmac, timingSafeEqual } from 'node:crypto';

/** Keys of one connection, one for each direction. A signature for one is invalid on any other. */
export interface ChannelKeys {
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

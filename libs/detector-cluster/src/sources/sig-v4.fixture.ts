import { createHash, createHmac } from 'node:crypto';

export interface SigV4Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A store's answer to a presigned request, according to S3's documentation of Signature Version 4 with query parameters. */
export type SigV4Verdict = 'ok' | 'unknown-key' | 'malformed' | 'not-yet-valid' | 'expired' | 'bad-signature';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Computes the signature of a URL from the definition, without the SDK. `host` is the request's Host header. */
export function signatureOf(method: string, url: URL, host: string, secretAccessKey: string): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [method, url.pathname, query, `host:${host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const time = url.searchParams.get('X-Amz-Date') ?? '';
  const [, day = '', region = '', service = ''] = (url.searchParams.get('X-Amz-Credential') ?? '').split('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/${service}/aws4_request\n${digest}`;
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
  return hmac(key, toSign).toString('hex');
}

/** Verifies a presigned request like a store, at `now` (wall clock, milliseconds). */
export function verifyPresigned(
  method: string,
  url: URL,
  host: string,
  keys: SigV4Keys,
  now: number,
): SigV4Verdict {
  const parameter = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? '';
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameter('Date')) ?? [];
  const signedAt = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  const life = Number(parameter('Expires'));
  if (
    parameter('Algorithm') !== 'AWS4-HMAC-SHA256' ||
    parameter('SignedHeaders') !== 'host' ||
    Number.isNaN(signedAt) ||
    !(life >= 1 && life <= 604_800)
  )
    return 'malformed';
  if (parameter('Credential').split('/')[0] !== keys.accessKeyId) return 'unknown-key';
  if (now < signedAt - 1_000) return 'not-yet-valid';
  if (now > signedAt + life * 1_000) return 'expired';
  return signatureOf(method, url, host, keys.secretAccessKey) === parameter('Signature')
    ? 'ok'
    : 'bad-signature';
}

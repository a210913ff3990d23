import { describe, expect, it } from 'vitest';
import { verifyPresigned } from './sig-v4.fixture.js';

// The example of AWS's "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
const published =
  'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
  '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z' +
  '&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
  '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';
const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const signedAt = Date.parse('2013-05-24T00:00:00Z');
const judge = (text: string, at = signedAt, host = new URL(text).host) =>
  verifyPresigned('GET', new URL(text), host, keys, at);

describe('verifyPresigned', () => {
  it('accepts the published example while it is valid', () => {
    expect(judge(published)).toBe('ok');
    expect(judge(published, signedAt + 86_400_000)).toBe('ok');
    expect(judge(published, signedAt + 86_401_000)).toBe('expired');
    expect(judge(published, signedAt - 60_000)).toBe('not-yet-valid');
  });

  it.each([
    ['another object', 'test.txt', 'test2.txt', 'bad-signature'],
    ['a longer life', 'Expires=86400', 'Expires=86401', 'bad-signature'],
    ['another region', 'us-east-1', 'us-east-2', 'bad-signature'],
    ['a parameter more', '&X-Amz-Date', '&versionId=1&X-Amz-Date', 'bad-signature'],
    ['another signature', 'aeeed9', 'aeeed8', 'bad-signature'],
    ['another key', 'AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7OTHERS', 'unknown-key'],
    ['more than a week', 'Expires=86400', 'Expires=604801', 'malformed'],
  ])('refuses %s', (_, from, to, verdict) => {
    expect(judge(published.replace(from, to))).toBe(verdict);
  });

  it('rejects another host', () => {
    expect(judge(published, signedAt, 'other.s3.amazonaws.com')).toBe('bad-signature');
  });
});

import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { urlForms } from './makers.fixture.js';
import {
  hasStrayAt,
  isRedacted,
  redactCameraUrl,
  redactText,
  redactUrl,
  withoutQuery,
} from './redact-url.js';

/** Credentials: at least six characters, so that none is a word of a path by chance. */
const secret = fc
  .array(fc.constantFrom(...'QXZqxz07'), { minLength: 6, maxLength: 20 })
  .map((characters) => `Q${characters.join('')}`);

describe('redactUrl', () => {
  it.each([
    ['rtsp://user:pass@host:554/stream', 'rtsp://host:554/stream'],
    ['rtsp://user@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:p@ss@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:pa/ss@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:p#ss@host/stream', 'rtsp://host/stream'],
    ['rtsp://user:p?ss@host/stream', 'rtsp://host/stream'],
    ['ws://host:8000', 'ws://host:8000'],
    ['ws://u:p@host:8000/a?b=c#v2', 'ws://host:8000/a?b=c#v2'],
    ['rtsp://host/path@2x', 'rtsp://host/path@2x'],
    ['//user:pass@host', '//host'],
    ['user:pass@host', 'host'],
    ['http://h/a?X-Amz-Signature=abc&x=1', 'http://h/a?X-Amz-Signature=***&x=1'],
    ['ws://h/?access_token=abc#frag', 'ws://h/?access_token=***#frag'],
    ['rtsp://h/?user=a&password=b;c', 'rtsp://h/?user=a&password=***;c'],
    ['rtsp://h/?user=a&pw=b&channel=1', 'rtsp://h/?user=a&pw=***&channel=1'],
    ['http://h/m?sv=2&sig=abc%3D&key=1', 'http://h/m?sv=2&sig=***&key=***'],
    ['http://h/m?AWSAccessKeyId=a&auth=b', 'http://h/m?AWSAccessKeyId=***&auth=***'],
    ['http://h/m?keyframe=1&design=2', 'http://h/m?keyframe=1&design=2'],
    ['ws://h/#a?token=b', 'ws://h/#a?token=***'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});

describe('redactCameraUrl', () => {
  it.each([
    ['rtsp://192.0.2.1/stream', 'rtsp://192.0.2.1/stream'],
    ['rtsp://192.0.2.1:554/Streaming/Channels/101', 'rtsp://192.0.2.1:554/Streaming/Channels/101'],
    ['rtsp://[2001:db8::1]:554/h264/ch1/main/av_stream', 'rtsp://[2001:db8::1]:554/h264/ch1/main/av_stream'],
    ['rtsp://mediamtx:8554/front-door', 'rtsp://mediamtx:8554/front-door'],
    ['http://cam.example/axis-cgi/mjpg/video.cgi', 'http://cam.example/axis-cgi/mjpg/video.cgi'],
    ['rtsp://user:pw@192.0.2.1:554/live/ch00_0', 'rtsp://***@192.0.2.1:554/live/ch00_0'],
    ['rtsp://me@domain:pw@host/live', 'rtsp://***@host/live'],
    ['http://h/cam/realmonitor?channel=1&subtype=0', 'http://h/cam/realmonitor?***'],
    ['rtsp://h:554/user=admin_password=x_channel=1_stream=0.sdp', 'rtsp://h:554/***'],
    ['http://h/live/4711/1', 'http://h/live/***/1'],
    ['rtsp://h/unicast/c1/s0/live', 'rtsp://h/unicast/c1/s0/live'],
    ['rtsp://h/a1b2c3', 'rtsp://h/***'],
    ['rtsp://h/stream#x', 'rtsp://h/stream?***'],
    ['rtsp://u:pa/ss@h/stream', 'rtsp://***'],
    ['rtsp://u:pass', 'rtsp://***'],
    ['u:pw@h/stream', '***'],
    ['', '***'],
  ])('%s', (url, expected) => {
    expect(redactCameraUrl(url)).toBe(expected);
  });

  it.each(Object.entries(urlForms))('shows no credentials: %s', (_, form) => {
    fc.assert(
      fc.property(secret, secret, (user, password) => {
        const shown = redactCameraUrl(form(user, password, 'camera.example'));
        expect(shown).not.toContain(password);
        expect(shown).not.toContain(Buffer.from(`${user}:${password}`).toString('base64'));
        // A user name in user info, and whatever stands beside a password, is not shown either.
        expect(shown).not.toContain(user);
        expect(redactCameraUrl(shown)).toBe(shown);
        expect(isRedacted(shown)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('shows no password with reserved characters in the user info', () => {
    const character = fc.constantFrom(...'abc123:/?#@%&=;.-_~!$ *');
    fc.assert(
      fc.property(fc.array(character, { minLength: 1, maxLength: 12 }), (characters) => {
        const redacted = redactCameraUrl(`rtsp://user:Q${characters.join('')}Q@camera.example/stream`);
        expect(redacted).not.toContain('Q');
        expect(isRedacted(redacted)).toBe(true);
      }),
    );
  });
});

describe('redactText', () => {
  it('redacts the URLs in a message, and leaves the rest', () => {
    expect(redactText('cannot open "rtsp://a:b@h/xy1?y" (401), nor http://h/live')).toBe(
      'cannot open "rtsp://***@h/***?***" (401), nor http://h/live',
    );
    expect(redactText('timed out')).toBe('timed out');
    expect(redactText('<rtsp://[2001:db8::1]/live>, then.')).toBe('<rtsp://[2001:db8::1]/live>, then.');
  });

  it('keeps the places of a stack, and nothing that follows one in the same word', () => {
    const stack = 'Error: no\n    at seen (file:///app/dist/main.js:3:5)\n    at node:internal/x:1:2';
    expect(redactText(stack)).toBe(stack);
    for (const slashes of ['//', '\\/\\/'])
      expect(redactText(`file:///a,rtsp:${slashes}user:Secret@h/live`)).not.toContain('Secret');
  });

  it.each([...`"'<>()[]{},;.\`|`])('shows nothing of a password that holds %s', (mark) => {
    for (const text of [
      `cannot open rtsp://user:a${mark}Secret@h/live`,
      `cannot open "rtsp://h/live?user=x&password=a${mark}Secret" (401)`,
      `{"url":"rtsp:\\/\\/user:a${mark}Secret@h\\/live"}`,
    ])
      expect(redactText(text)).not.toContain('Secret');
  });
});

describe('isRedacted', () => {
  it.each(['rtsp://***@h/s', 'rtsp://h/***/1', 'http://h/s?***', 'rtsp://***', 'http://h/s?token=***&a=b'])(
    '%s is',
    (url) => expect(isRedacted(url)).toBe(true),
  );

  it.each(['rtsp://user:%2A%2A%2A@h/s', 'rtsp://user:x***@h/s', 'http://h/s?stars=****'])(
    '%s is not',
    (url) => expect(isRedacted(url)).toBe(false),
  );
});

describe('hasStrayAt', () => {
  it('finds an "@" after the host', () => {
    expect(hasStrayAt('rtsp://u:1/2@h/s')).toBe(true);
    expect(hasStrayAt('rtsp://u:p@h/s')).toBe(false);
  });
});

describe('withoutQuery', () => {
  it.each([
    ['https://s3/model.mpta?X-Amz-Signature=abc', 'https://s3/model.mpta'],
    ['https://s3/model.mpta#x?y', 'https://s3/model.mpta'],
    ['https://s3/model.mpta', 'https://s3/model.mpta'],
  ])('%s', (url, expected) => {
    expect(withoutQuery(url)).toBe(expected);
  });
});

describe('hostile text', () => {
  const LENGTH = 4_096;
  /** What the code of the redactor looks for: its texts, its words, the plain parts of its patterns, and every ASCII character. */
  const source = readFileSync(new URL('redact-url.ts', import.meta.url), 'utf8').replaceAll(
    /^ *\/?\*.*$/gm,
    '',
  );
  const fragments = [
    ...new Set([
      ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
      ...[...source.matchAll(/'([^'\n]+)'|`([^`]+)`/g)].flatMap(([, text, words]) =>
        (text ?? words!).split(/\s+/),
      ),
      ...(source.match(/[a-z\d:/?&;=@#]{2,}/gi) ?? []),
      '?pwd',
      '&pass',
      'a://',
      '?pass=',
      '=***',
      '?#',
      '@/',
      'a.',
      '\\/',
      '\u202e',
      '🎥',
    ]),
  ].filter((fragment) => fragment !== '');
  const functions = { redactUrl, redactCameraUrl, redactText, isRedacted, hasStrayAt, withoutQuery };

  it('is made of what the redactor looks for', () => {
    expect(fragments).toEqual(expect.arrayContaining(['pass', 'api_key', 'sig', 'h264', 'driveway', '***']));
  });

  it.each(Object.entries(functions))('%s takes linear time', (_, redact) => {
    for (const prefix of ['', 'rtsp://h/', 'rtsp://', 'rtsp://h/?'])
      for (const fragment of fragments) {
        const text = (prefix + fragment.repeat(LENGTH)).slice(0, LENGTH);
        // The best of some runs: a busy machine does not slow all of them down.
        let best = Infinity;
        for (let run = 0; run < 5 && best >= 5; run++) {
          const begun = performance.now();
          redact(text);
          best = Math.min(best, performance.now() - begun);
        }
        if (best >= 5) expect([fragment, best]).toEqual([fragment, 'below 5 ms']);
      }
  });
});

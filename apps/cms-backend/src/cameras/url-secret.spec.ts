import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasStrayAt, isRedacted, redactUrl } from './url-secret.js';

describe('redactUrl', () => {
  it.each([
    ['rtsp://192.0.2.1/stream', 'rtsp://192.0.2.1/stream'],
    ['rtsp://user@192.0.2.1/stream', 'rtsp://user@192.0.2.1/stream'],
    ['rtsp://user:pw@192.0.2.1:554/a?b=c#d', 'rtsp://user:***@192.0.2.1:554/a?b=c#d'],
    ['rtsp://user:a:b@host', 'rtsp://user:***@host'],
    ['rtsp://me@domain:pw@host/x', 'rtsp://me@domain:***@host/x'],
    ['rtsp://:pw@host', 'rtsp://:***@host'],
    ['http://h/snap?user=a&password=b&w=1', 'http://h/snap?user=a&password=***&w=1'],
    ['http://h/snap?ACCESS_TOKEN=a/b?c#frag', 'http://h/snap?ACCESS_TOKEN=***#frag'],
    ['rtsp://h:554/user=admin&password=x&channel=1', 'rtsp://h:554/user=admin&password=***&channel=1'],
    ['rtsp://u:pa/ss@h/stream', 'rtsp://***@h/stream'],
    ['rtsp://u:1/2@h/stream', 'rtsp://***@h/stream'],
    ['rtsp://u:1?2@h/stream', 'rtsp://***@h/stream'],
    ['u:pw@h/stream', 'u:***@h/stream'],
    ['no url at all', 'no url at all'],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });

  it('never shows the password, is stable and is recognised', () => {
    const character = fc.constantFrom(...'abc123:/?#@%&=;.-_~!$ *'.split(''));
    fc.assert(
      fc.property(fc.array(character, { minLength: 1, maxLength: 12 }), (characters) => {
        const password = `Q${characters.join('')}Q`;
        const redacted = redactUrl(`rtsp://user:${password}@camera.example/stream`);
        expect(redacted).not.toContain('Q');
        expect(redactUrl(redacted)).toBe(redacted);
        expect(isRedacted(redacted)).toBe(true);
      }),
    );
  });
});

describe('isRedacted', () => {
  it.each(['rtsp://user:***@h/s', 'rtsp://***@h/s', 'http://h/s?token=***&a=b', 'http://h/s?token=***'])(
    '%s is',
    (url) => expect(isRedacted(url)).toBe(true),
  );

  it.each(['rtsp://user:%2A%2A%2A@h/s', 'rtsp://user:x***@h/***', 'http://h/s?stars=****'])(
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

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { LOG_TOPICS } from '../util/log-topics.js';
import { TopicLogger } from '../util/topic-logger.js';
import { escapeControls } from './escape-controls.js';

describe('escapeControls', () => {
  it.each([
    ['closed: bye\nERROR forged', 'closed: bye\\nERROR forged'],
    ['\u001b[31mred\u0007\r\t', '\\u001b[31mred\\u0007\\r\\t'],
    ['\u009b2J \u202egnp.exe\u2028x\ufeff', '\\u009b2J \\u202egnp.exe\\u2028x\\ufeff'],
    ['Zoë 🎥 カメラ', 'Zoë 🎥 カメラ'],
    ['Error: a\nb\n    at f (x.ts:1:2)\n    at g', 'Error: a\\nb\n    at f (x.ts:1:2)\n    at g'],
  ])('%j is logged as %j', (text, line) => {
    expect(escapeControls(text)).toBe(line);
  });

  it('leaves no control character, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = escapeControls(text);
        expect(line.replaceAll('\n    at ', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
        expect(escapeControls(line)).toBe(line);
      }),
    );
  });
});

describe('TopicLogger', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const)(
    'escapes what it logs as %s',
    (level) => {
      const logged = jest.spyOn(Logger.prototype, level).mockReturnValue(undefined);
      new TopicLogger(LOG_TOPICS.connection)[level]('worker said "\u001b[2J\n"', 'stack\r\n    at f');
      expect(logged).toHaveBeenCalledWith('worker said "\\u001b[2J\\n"', 'stack\\r\n    at f');
    },
  );
});

import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOG_TOPICS, TopicLogger } from './topic-logger.js';
import { escapeControls, escapeStack } from './escape-controls.js';

describe('escapeControls', () => {
  it.each([
    ['closed: bye\nERROR forged', 'closed: bye\\nERROR forged'],
    ['\u001b[31mred\u0007\r\t', '\\u001b[31mred\\u0007\\r\\t'],
    ['\u009b2J \u202egnp.exe\u2028x\ufeff', '\\u009b2J \\u202egnp.exe\\u2028x\\ufeff'],
    ['Zoë 🎥 カメラ', 'Zoë 🎥 カメラ'],
    ['gone\n    at forged (x.ts:1:2)', 'gone\\n    at forged (x.ts:1:2)'],
  ])('%j is logged as %j', (text, line) => {
    expect(escapeControls(text)).toBe(line);
  });

  it('leaves no control character, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = escapeControls(text);
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff]/u);
        expect(escapeControls(line)).toBe(line);
        const stack = escapeStack(text);
        expect(stack.replaceAll('\n    at ', '')).not.toMatch(/[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff]/u);
        expect(escapeStack(stack)).toBe(stack);
      }),
    );
  });

  it('leaves the frames of a stack on lines of their own', () => {
    expect(escapeStack('Error: a\nb\n    at f (x.ts:1:2)\n    at g')).toBe(
      'Error: a\\nb\n    at f (x.ts:1:2)\n    at g',
    );
  });
});

describe('TopicLogger', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each(['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const)(
    'escapes what it logs as %s',
    (level) => {
      const logged = vi.spyOn(Logger.prototype, level).mockReturnValue(undefined);
      new TopicLogger(LOG_TOPICS.connection)[level]('worker said "\u001b[2J\n"', 'stack\r\n    at f');
      const second = ['fatal', 'error'].includes(level) ? 'stack\\r\n    at f' : 'stack\\r\\n    at f';
      expect(logged).toHaveBeenCalledWith('worker said "\\u001b[2J\\n"', second);
    },
  );
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StderrLogger } from './stderr-logger.js';

const HOSTILE = 'x\n[Nest] forged \u001b[2J\u009b2J\u0085\u2028\u202e\u2066\ufeff';
const CONTROLS = /[\p{Cc}\p{Bidi_C}\u2028\u2029\ufeff]/u;
const LEVELS = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;

describe.each([false, true])('the log of the service, as JSON: %j', (json) => {
  let written = '';
  beforeEach(() => {
    written = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The written lines, without the frames of stacks. */
  const lines = () => written.split('\n').filter((line) => line !== '' && !line.startsWith('    at '));

  const values: Record<string, () => unknown> = {
    text: () => HOSTILE,
    'an object': () => ({ [HOSTILE]: HOSTILE }),
    'a list': () => [HOSTILE],
    'an error': () => new Error(HOSTILE),
    'the cause of an error': () => new Error('failed', { cause: HOSTILE }),
    'a function': () => () => HOSTILE,
  };

  it.each(LEVELS.flatMap((level) => Object.keys(values).map((what) => ({ level, what }))))(
    'escapes $what at the level $level',
    ({ level, what }) => {
      const logger = new StderrLogger({ logLevels: [...LEVELS], colors: false, json });
      logger[level](values[what]!(), `context ${HOSTILE}`);
      expect(lines()).toHaveLength(1);
      expect(lines()[0]).not.toMatch(CONTROLS);
      expect(lines()[0]).toContain('forged');
    },
  );

  it.each(['fatal', 'error'] as const)('escapes the stack of an error at the level %s', (level) => {
    const logger = new StderrLogger({ logLevels: [...LEVELS], colors: false, json });
    logger[level]('failed', new Error(HOSTILE).stack, 'context');
    expect(written).toContain('forged');
    expect(lines().join('')).not.toMatch(CONTROLS);
    expect(written).not.toMatch(/^\[Nest\] forged/m);
  });
});

import { describe, expect, it } from '@jest/globals';
import { beginOf, rangeOf, withinRange } from './time-range.js';

const NOW = 100 * 3_600_000;
const MINUTE = 60_000;

describe('the time range of a page', () => {
  it('is read from its address, and is none for any other text', () => {
    expect(rangeOf({ range: '1h' })).toBe('1h');
    expect(rangeOf({})).toBeNull();
    for (const range of ['', '2h', 'constructor']) expect(rangeOf({ range })).toBeNull();
  });

  it('leaves out what is older, or has no time', () => {
    const items = [NOW - 61 * MINUTE, NOW - 60 * MINUTE, NOW - MINUTE, null];
    expect(withinRange(items, '1h', NOW, (at) => at)).toEqual([NOW - 60 * MINUTE, NOW - MINUTE]);
    expect(withinRange(items, '15m', NOW, (at) => at)).toEqual([NOW - MINUTE]);
    expect(withinRange(items, null, NOW, (at) => at)).toBe(items);
    expect(beginOf('24h', NOW)).toBe(NOW - 24 * 60 * MINUTE);
  });
});

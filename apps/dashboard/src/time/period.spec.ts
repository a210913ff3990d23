import { describe, expect, it } from 'vitest';
import {
  beginOf,
  rangeOf,
  withinRange,
  fieldOf,
  instantInField,
  periodOf,
  periodProblem,
  periodQuery,
} from './period.js';

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

const TEN = '2026-11-24T10:00:00.000Z';
const ELEVEN = '2026-11-24T11:00:00.000Z';

describe('the period of a search', () => {
  it.each([
    [{}, null],
    [{ range: '1h' }, null],
    [{ from: TEN }, null],
    [{ to: TEN }, null],
    [{ from: TEN, to: ELEVEN }, null],
    [{ from: ELEVEN, to: TEN }, '“To” must be after “From”.'],
    [{ from: TEN, to: TEN }, '“To” must be after “From”.'],
    [{ from: 'yesterday' }, '“From” is not a time.'],
    [{ from: TEN, to: 'later' }, '“To” is not a time.'],
    [{ range: '1h', to: ELEVEN }, 'Choose a time range, or “From” and “To”, not both.'],
  ])('of the address %j has the problem %j', (parameters, problem) => {
    expect(periodProblem(periodOf(parameters))).toBe(problem);
  });

  it('becomes what the service is asked for', () => {
    const now = Date.parse(ELEVEN);
    expect(periodQuery(periodOf({}), now)).toEqual({ from: '', to: '' });
    expect(periodQuery(periodOf({ range: '1h' }), now)).toEqual({ from: TEN });
    expect(periodQuery(periodOf({ from: TEN, to: ELEVEN }), now)).toEqual({ from: TEN, to: ELEVEN });
  });

  it('is shown and entered by the clock of the reader', () => {
    const noon = new Date(2026, 10, 24, 12, 34, 56).toISOString();
    expect(fieldOf(noon)).toBe('2026-11-24T12:34:56');
    expect(instantInField('2026-11-24T12:34:56')).toBe(noon);
    expect(instantInField('2026-11-24T12:34')).toBe(new Date(2026, 10, 24, 12, 34).toISOString());
    expect([fieldOf(''), fieldOf('x'), instantInField(''), instantInField('x')]).toEqual(['', '', '', '']);
  });
});

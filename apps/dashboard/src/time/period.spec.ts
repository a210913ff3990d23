import { describe, expect, it } from '@jest/globals';
import { fieldOf, instantInField, periodOf, periodProblem, periodQuery } from './period.js';

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
    expect(periodQuery(periodOf({}), now)).toEqual({});
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

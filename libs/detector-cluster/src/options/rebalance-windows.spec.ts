import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RebalanceWindows, type RebalanceWindow } from './rebalance-windows.js';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const nights = { opens: '0 1 * * *', timeZone: 'Europe/Zurich', duration: 4 * HOUR };

function windowsOf(...given: readonly RebalanceWindow[]): RebalanceWindows {
  const problems: string[] = [];
  const windows = RebalanceWindows.of(given, problems);
  expect(problems).toEqual([]);
  return windows;
}

describe('the windows in which the load is balanced', () => {
  it('are always open if there are none', () => {
    expect(windowsOf().opensAt(0)).toBeNull();
  });

  it.each([
    ['before', '2026-11-26T23:59:59Z', '2026-11-27T00:00:00Z'],
    ['as it opens', '2026-11-27T00:00:00Z', null],
    ['before it closes', '2026-11-27T03:59:59Z', null],
    ['as it closes', '2026-11-27T04:00:00Z', '2026-11-28T00:00:00Z'],
    ['in the night in which clocks are set forward', '2026-03-29T01:30:00Z', null],
    ['in summer', '2026-07-01T12:00:00Z', '2026-07-01T23:00:00Z'],
  ])('open at a time on the wall: %s', (_, now, opens) => {
    expect(windowsOf(nights).opensAt(at(now))).toBe(opens === null ? null : at(opens));
  });

  const atTwo = { opens: '30 2 * * *', timeZone: 'Europe/Zurich', duration: HOUR };
  it.each([
    ['at the change, if clocks skip its opening', '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z'],
    ['from then on', '2026-03-29T01:00:00Z', null],
    ['for its duration', '2026-03-29T01:59:59Z', null],
    ['no longer', '2026-03-29T02:00:00Z', '2026-03-30T00:30:00Z'],
    ['at the first of two times', '2026-10-25T00:29:59Z', '2026-10-25T00:30:00Z'],
    ['at the second one, too', '2026-10-25T01:30:00Z', null],
    ['until the second one is over', '2026-10-25T02:29:59Z', null],
    ['not after it', '2026-10-25T02:30:00Z', '2026-10-26T01:30:00Z'],
  ])('open when clocks change: %s', (_, now, opens) => {
    expect(windowsOf(atTwo).opensAt(at(now))).toBe(opens === null ? null : at(opens));
    const short = windowsOf({ ...atTwo, duration: HOUR / 2 });
    expect(short.opensAt(at('2026-10-25T01:15:00Z'))).toBe(at('2026-10-25T01:30:00Z'));
  });

  it('are open while any of them is', () => {
    const windows = windowsOf(nights, { opens: '0 12 * * 1-5', timeZone: 'UTC', duration: HOUR });
    expect(windows.opensAt(at('2026-11-27T12:30:00Z'))).toBeNull();
    expect(windows.opensAt(at('2026-11-27T11:00:00Z'))).toBe(at('2026-11-27T12:00:00Z'));
    expect(windows.opensAt(at('2026-11-28T12:30:00Z'))).toBe(at('2026-11-29T00:00:00Z'));
  });

  it('say the same whatever was asked before, also after the clock was set back', () => {
    const times = fc.array(fc.integer({ min: at('2026-10-20T00:00:00Z'), max: at('2026-11-10T00:00:00Z') }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(times, (given) => {
        const windows = windowsOf(nights);
        for (const now of given) expect(windows.opensAt(now)).toBe(windowsOf(nights).opensAt(now));
      }),
      { numRuns: 30 },
    );
  });

  it.each<[unknown, string[]]>([
    [{}, ['rebalanceWindows: must be a list']],
    [[null], ['rebalanceWindows[0]: must be a window']],
    [
      [nights, { ...nights, duration: 59_999 }],
      ['rebalanceWindows[1].duration: must be a number of milliseconds'],
    ],
    [
      [{ ...nights, duration: 8 * 24 * HOUR }],
      ['rebalanceWindows[0].duration: must be a number of milliseconds'],
    ],
    [[{ ...nights, timeZone: 'Mars' }], ['rebalanceWindows[0].timeZone: must be an IANA name']],
    [
      [{ ...nights, opens: '0 0 1 * * *' }],
      ['rebalanceWindows[0].opens: must be a cron expression of five fields'],
    ],
    [
      [{ ...nights, opens: '0 0 31 2 *' }],
      ['rebalanceWindows[0].opens: must be a cron expression of five fields'],
    ],
    [
      [{}],
      ['rebalanceWindows[0].duration: ', 'rebalanceWindows[0].timeZone: ', 'rebalanceWindows[0].opens: '],
    ],
  ])('name each problem of %j', (given, expected) => {
    const problems: string[] = [];
    RebalanceWindows.of(given as readonly RebalanceWindow[], problems);
    expect(problems).toEqual(expected.map((start) => expect.stringContaining(start)));
  });
});

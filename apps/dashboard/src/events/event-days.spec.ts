import { describe, expect, it } from '@jest/globals';
import { eventDays } from './event-days.js';

const line = (eventId: string, at: string) => [{ eventId, type: 'worker-online', at, term: 1 }] as const;

describe('eventDays', () => {
  it('lists the newest day first, and the newest event of each day first', () => {
    const noon = new Date(2026, 10, 21, 12).getTime();
    const hour = 3_600_000;
    const at = (hours: number) => new Date(noon - hours * hour).toISOString();
    const days = eventDays(
      [line('1', at(48)), line('2', at(20)), line('3', at(2)), line('4', ''), line('5', at(0))],
      noon,
    );
    expect(days.map(({ name, lines }) => [name, lines.map(([{ eventId }]) => eventId)])).toEqual([
      ['Today', ['5', '3']],
      ['At an unknown time', ['4']],
      ['Yesterday', ['2']],
      [expect.stringMatching(/19 November 2026/), ['1']],
    ]);
  });
});

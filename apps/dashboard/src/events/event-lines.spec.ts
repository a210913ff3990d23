import { describe, expect, it } from 'vitest';
import { eventLines, eventDays } from './event-lines.js';

const START = Date.parse('2026-01-01T00:00:00.000Z');

const event = (seconds: number, type = 'worker-online', term = 1) => ({
  eventId: `${START + seconds * 1_000}-0`,
  type,
  at: new Date(START + seconds * 1_000).toISOString(),
  term,
});
const run = (count: number, from = 0, type?: string, term?: number) =>
  Array.from({ length: count }, (_, index) => event(from + index, type, term));
const sizes = (events: readonly ReturnType<typeof event>[]) => eventLines(events).map(({ length }) => length);

describe('eventLines', () => {
  it('puts a thousand workers that come online after a failover into one line', () => {
    const [master, ...workers] = eventLines([event(0, 'master-acquired'), ...run(1_000, 1)]);
    expect(master).toHaveLength(1);
    expect(workers).toEqual([run(1_000, 1)]);
  });

  it('gives few events a line each, and events of types that are rarely many', () => {
    expect(sizes(run(4))).toEqual([1, 1, 1, 1]);
    expect(sizes(run(6, 0, 'operator-action'))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(sizes(run(6, 0, 'constructor'))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('separates types, terms, and events with a pause between them', () => {
    expect(sizes([...run(5), ...run(5, 5, 'worker-offline')])).toEqual([5, 5]);
    expect(sizes([...run(5), ...run(5, 5, 'worker-online', 2)])).toEqual([5, 5]);
    expect(sizes([...run(5), ...run(5, 15)])).toEqual([5, 5]);
    expect(sizes([...run(5), ...run(5, 14)])).toEqual([10]);
  });

  it('keeps every event once, in order', () => {
    const events = [...run(7), event(7, 'camera-moved'), ...run(3, 8), { ...event(11), at: '' }];
    expect(eventLines(events).flat()).toEqual(events);
  });
});

const line = (eventId: string, at: string) => [{ eventId, type: 'worker-online', at, term: 1 }] as const;

describe('eventDays', () => {
  it('lists the newest day first, and the newest event of each day first', () => {
    const noon = new Date(2026, 10, 21, 12).getTime();
    const hour = 3_600_000;
    const at = (hours: number) => new Date(noon - hours * hour).toISOString();
    const days = eventDays(
      [line('1', at(48)), line('2', at(20)), line('3', at(2)), line('4', ''), line('5', at(0))],
      '2026-11-21',
    );
    expect(days.map(({ name, lines }) => [name, lines.map(([{ eventId }]) => eventId)])).toEqual([
      ['Today', ['5', '3']],
      ['At an unknown time', ['4']],
      ['Yesterday', ['2']],
      [expect.stringMatching(/19 November 2026/), ['1']],
    ]);
  });
});

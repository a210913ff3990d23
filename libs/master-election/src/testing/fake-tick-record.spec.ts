import { describe, expect, it } from 'vitest';
import { FakeTickRecord } from './fake-tick-record.js';

describe('FakeTickRecord', () => {
  it('starts each tick once, and none for a deposed master', async () => {
    let now = 50;
    const ticks = new FakeTickRecord({ wallNow: () => now });
    const start = async (tick: number, term: number, run: string) =>
      (await ticks.start({ job: 'job', tick, term, run })).outcome;
    expect(await start(10, 1, 'a')).toBe('started');
    expect(await start(10, 1, 'a')).toBe('started');
    expect(await start(10, 1, 'b')).toBe('repeated');
    expect(await start(9, 1, 'c')).toBe('repeated');
    expect(await ticks.enter('job', 2)).toEqual({ tick: 10, now: 50 });
    expect(await start(20, 1, 'd')).toBe('deposed');
    expect(await start(20, 2, 'e')).toBe('started');
    expect(await ticks.enter('job', 1)).toBeNull();
    expect(await start(1_051, 2, 'f')).toBe('early');
    expect(await ticks.enter('other', 1)).toEqual({ tick: 50, now: 50 });
    now = 60;
    expect(await ticks.enter('other', 1)).toEqual({ tick: 50, now: 60 });
  });
});

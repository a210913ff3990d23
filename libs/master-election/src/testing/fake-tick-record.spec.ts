import { describe, expect, it } from '@jest/globals';
import { FakeTickRecord } from './fake-tick-record.js';

describe('FakeTickRecord', () => {
  it('starts each tick once, and none of a deposed master', async () => {
    const ticks = new FakeTickRecord();
    const start = (tick: number, term: number, run: string) => ticks.start({ job: 'job', tick, term, run });
    expect(await start(10, 1, 'a')).toBe('started');
    expect(await start(10, 1, 'a')).toBe('started');
    expect(await start(10, 1, 'b')).toBe('repeated');
    expect(await start(9, 1, 'c')).toBe('repeated');
    expect(await ticks.enter('job', 50, 2)).toBe(10);
    expect(await start(20, 1, 'd')).toBe('deposed');
    expect(await start(20, 2, 'e')).toBe('started');
    expect(await ticks.enter('job', 50, 1)).toBeNull();
    expect(await ticks.enter('other', 50, 1)).toBe(50);
    expect(await ticks.enter('other', 60, 1)).toBe(50);
  });
});

import { describe, expect, it } from 'vitest';
import { IntervalSchedule } from './interval-schedule.js';

describe('IntervalSchedule', () => {
  it('ticks at successive multiples of its period since 1970', () => {
    const schedule = new IntervalSchedule(400);
    expect(schedule.next(-1)).toBe(0);
    expect(schedule.next(0)).toBe(400);
    expect(schedule.next(399)).toBe(400);
    expect(schedule.next(400)).toBe(800);
    const late = Date.parse('2026-11-21T10:00:00.123Z');
    expect(schedule.next(late)).toBe(Date.parse('2026-11-21T10:00:00.400Z'));
  });
});

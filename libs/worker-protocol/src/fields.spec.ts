import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timestampField, timestampToDate } from './fields.js';

const accepted = (value: string) => timestampField.safeParse(value).success;

describe('timestampField', () => {
  it('accepts the output of toISOString, and timestampToDate reads it back', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(accepted(date.toISOString())).toBe(true);
          expect(timestampToDate(date.toISOString())).toEqual(date);
        },
      ),
    );
  });

  it('rejects everything that is not a date', () => {
    const two = fc.nat({ max: 99 }).map((n) => String(n).padStart(2, '0'));
    const zone = fc.oneof(
      fc.constantFrom('Z', '', 'z'),
      fc.tuple(two, two).map(([h, m]) => `+${h}:${m}`),
    );
    fc.assert(
      fc.property(two, two, two, two, two, zone, (month, day, hour, minute, second, end) => {
        const text = `2025-${month}-${day}T${hour}:${minute}:${second}${end}`;
        if (accepted(text)) expect(Number.isNaN(timestampToDate(text).getTime())).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['2025-07-13T12:00:00.000001', '2025-07-13T12:00:00.000Z'],
    ['2025-07-13T12:00:00', '2025-07-13T12:00:00.000Z'],
    ['2025-07-13T12:00:00+02:00', '2025-07-13T10:00:00.000Z'],
  ])('reads %s as %s', (text, iso) => {
    expect(accepted(text)).toBe(true);
    expect(timestampToDate(text).toISOString()).toBe(iso);
  });

  it.each(['', 'now', '1752410096', '2025-07-13', '2025-07-13 12:00:00Z', '2025-13-01T00:00:00Z'])(
    'refuses %j',
    (text) => {
      expect(accepted(text)).toBe(false);
    },
  );
});

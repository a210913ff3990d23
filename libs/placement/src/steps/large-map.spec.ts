import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LargeMap } from './large-map.js';

const key = fc.constantFrom(...'abcdefghij', undefined);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('set'), key, fc.option(fc.nat(9), { nil: undefined })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete'), key) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('has'), key) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('get'), key) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('clear')) },
);

describe('LargeMap', () => {
  it('answers like a map, however many parts it has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const map = new Map<string | undefined, number | undefined>();
        const large = new LargeMap<string | undefined, number | undefined>(most);
        let deleted = false;
        for (const [what, ...args] of steps) {
          const call = (it: Map<string | undefined, number | undefined>) => {
            const answer = (it[what as 'set'] as (...args: unknown[]) => unknown)(...args);
            return answer === it ? 'itself' : answer;
          };
          const answer = call(map);
          deleted ||= what === 'delete' && answer === true;
          expect(call(large)).toEqual(answer);
          expect(large.size).toBe(map.size);
          expect(new Map(large)).toEqual(map);
        }
        // A key that was deleted and set again may be before others.
        if (!deleted) expect([...large]).toEqual([...map]);
        expect([...large.keys()]).toEqual([...large].map(([key]) => key));
        expect([...large.values()]).toEqual([...large].map(([, value]) => value));
        const each: unknown[] = [];
        large.forEach((value, key) => each.push([key, value]));
        expect(each).toEqual([...large]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has few parts after many changes', () => {
    const large = new LargeMap<number, number>(10);
    for (let i = 0; i < 1_000; i++) {
      large.set(i, i);
      if (i % 100 !== 0) large.delete(i - 5);
    }
    const parts = (large as unknown as { parts: readonly unknown[] }).parts.length;
    expect(parts).toBeLessThanOrEqual(1 + (2 * large.size) / 10);
  });
});

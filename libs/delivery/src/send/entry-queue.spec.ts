import { describe, expect, it } from 'vitest';
import { EntryQueue } from './entry-queue.js';
import * as fc from 'fast-check';

describe('EntryQueue', () => {
  it('behaves like an array, whatever is done with it', () => {
    const action = fc.oneof(
      fc.record({ do: fc.constant('push' as const), bytes: fc.nat(50) }),
      fc.record({ do: fc.constant('take' as const), count: fc.nat(2_000) }),
      fc.record({
        do: fc.constant('drop' as const),
        kept: fc.nat(5),
        which: fc.constantFrom('oldest' as const, 'newest' as const),
        isOdd: fc.boolean(),
      }),
      fc.record({ do: fc.constant('fill' as const), count: fc.nat(3_000) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queue = new EntryQueue<{ bytes: number; n: number }>();
        let model: { bytes: number; n: number }[] = [];
        let n = 0;
        const push = (bytes: number) => {
          const item = { bytes, n: n++ };
          queue.push(item);
          model.push(item);
        };
        for (const each of actions) {
          if (each.do === 'push') push(each.bytes);
          else if (each.do === 'fill') for (let i = 0; i < each.count; i++) push(1);
          else if (each.do === 'drop') {
            const isWanted = (item: { n: number }) => (item.n % 2 === 1) === each.isOdd;
            const found = model.filter((item, i) => i >= each.kept && isWanted(item));
            const dropped = found.at(each.which === 'oldest' ? 0 : -1);
            expect(queue.drop(each.kept, each.which, isWanted)).toBe(dropped);
            model = model.filter((item) => item !== dropped);
          } else {
            const count = Math.min(each.count, model.length);
            expect(queue.take(count)).toEqual(model.slice(0, count));
            model = model.slice(count);
          }
          const bytes = model.reduce((sum, item) => sum + item.bytes, 0);
          expect([queue.length, queue.bytes]).toEqual([model.length, bytes]);
          expect(queue.peek(3, 1e9)).toEqual(model.slice(0, 3));
        }
        expect(queue.take(queue.length)).toEqual(model);
        expect([queue.length, queue.bytes]).toEqual([0, 0]);
      }),
      { numRuns: 50 },
    );
  });

  it('peeks within both limits, and returns at least one entry', () => {
    const queue = new EntryQueue<{ bytes: number }>();
    for (const bytes of [500, 300, 300]) queue.push({ bytes });
    expect(queue.peek(10, 800)).toHaveLength(2);
    expect(queue.peek(10, 100)).toHaveLength(1);
    expect(queue.peek(1, 1_000)).toHaveLength(1);
  });
});

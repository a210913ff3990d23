import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from './in-chunks.js';
import { sortByText } from './sort-in-steps.js';

const item = fc.record({ key: fc.string({ maxLength: 2 }), position: fc.nat() });

describe('sorting in steps', () => {
  it('gives what a stable sort gives', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.integer({ min: 1, max: 300 }), (few, times) => {
        const items = Array.from({ length: times }, () => few)
          .flat()
          .map((each, position) => ({ ...each, position }));
        const sorted = runToEnd(sortByText(items, ({ key }) => key));
        expect(sorted).toEqual(items.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)));
      }),
    );
  });

  it('may be interrupted after every thousand comparisons or so', () => {
    let compared = 0;
    let most = 0;
    const items = Array.from({ length: 50_000 }, (_, i) => String((i * 7_919) % 50_000));
    const keyOf = (text: string) => {
      compared++;
      return text;
    };
    const steps = sortByText(items, keyOf);
    for (let done = false; !done;) {
      compared = 0;
      done = steps.next().done === true;
      most = Math.max(most, compared);
    }
    // A run of a thousand takes n log n comparisons.
    expect(most).toBeLessThan(25_000);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nestingExceeds } from './json-frame.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((item) => depthOf(item)))
    : 0;

describe('nestingExceeds', () => {
  it('counts the levels of any JSON, and ignores brackets inside strings', () => {
    const strings = fc.constantFrom('[[[', '}{', '\\"[', '"', '\\', 'plain');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        strings,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(strings, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.nat({ max: 8 }), (value, limit) => {
        expect(nestingExceeds(JSON.stringify(value), limit)).toBe(depthOf(value) > limit);
      }),
      { numRuns: 1000 },
    );
  });
});

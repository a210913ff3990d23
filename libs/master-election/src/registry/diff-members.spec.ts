import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffMembers } from './diff-members.js';

const member = (nodeId: string, bootId = '1') => ({ nodeId, bootId });

describe('diffMembers', () => {
  it('returns the members that joined and those that left', () => {
    expect(diffMembers([member('a'), member('b')], [member('b'), member('c')])).toEqual({
      joined: [member('c')],
      left: [member('a')],
    });
  });

  it('treats a restart under the old id as leaving and joining', () => {
    expect(diffMembers([member('a', '1')], [member('a', '2')])).toEqual({
      joined: [member('a', '2')],
      left: [member('a', '1')],
    });
  });

  it('yields the later members when applied to the earlier ones', () => {
    const look = fc.uniqueArray(
      fc.record({ nodeId: fc.constantFrom('a', 'b', 'c', 'd'), bootId: fc.constantFrom('1', '2') }),
      { selector: ({ nodeId }) => nodeId },
    );
    fc.assert(
      fc.property(look, look, (before, after) => {
        const { joined, left } = diffMembers(before, after);
        const result = new Map(before.map(({ nodeId, bootId }) => [nodeId, bootId]));
        for (const { nodeId } of left) expect(result.delete(nodeId)).toBe(true);
        for (const { nodeId, bootId } of joined) {
          expect(result.has(nodeId)).toBe(false);
          result.set(nodeId, bootId);
        }
        expect(result).toEqual(new Map(after.map(({ nodeId, bootId }) => [nodeId, bootId])));
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { hashTagOf, slotOf } from './slot-source.js';

describe('hashTagOf', () => {
  it.each([
    ['{a}', 'a'],
    ['{a}:lease', 'a'],
    ['x{a}{b}', 'a'],
    ['{a}}', 'a'],
    ['{{a}', '{a'],
    ['a', undefined],
    ['{}a', undefined],
    ['{}{a}', undefined],
    ['{a', undefined],
    ['a}', undefined],
  ])('%s: %s', (key, tag) => {
    expect(hashTagOf(key)).toBe(tag);
    // Redis itself says what counts: keys with the same tag, and only those, are in one slot.
    if (tag !== undefined) expect(slotOf(key)).toBe(slotOf(tag));
  });
});

describe('slotOf', () => {
  it('is the slot that the specification gives as an example', () => {
    expect(slotOf('123456789')).toBe(0x31c3);
    expect(slotOf('{user1000}.following')).toBe(slotOf('{user1000}.followers'));
  });
});

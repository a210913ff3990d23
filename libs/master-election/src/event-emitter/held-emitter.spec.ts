import { describe, expect, it } from '@jest/globals';
import { HeldEmitter } from './held-emitter.js';

describe('HeldEmitter', () => {
  it('holds events back, passes them on in order, and then at once', () => {
    const emitted: unknown[][] = [];
    const held = new HeldEmitter({
      emit: (...event) => {
        emitted.push(event);
        if (event[0] === 'a') held.emit('from a listener');
        return true;
      },
    });
    expect([held.emit('a', 1), held.emit('b', 2, 3)]).toEqual([false, false]);
    expect(emitted).toEqual([]);
    held.release();
    expect(held.emit('c')).toBe(true);
    held.release();
    expect(emitted).toEqual([['a', 1], ['b', 2, 3], ['from a listener'], ['c']]);
  });
});

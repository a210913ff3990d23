import { describe, expect, it } from 'vitest';
import { HeldEmitter } from './forward-election-events.js';

describe('HeldEmitter', () => {
  it('buffers events, emits them in order on release, and later ones at once', () => {
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

  it('emits the events after one whose listener throws, rethrows the error, and stops buffering', () => {
    const emitted: unknown[] = [];
    const held = new HeldEmitter({
      emit: (name) => {
        if (name === 'a') throw new Error('broken listener');
        emitted.push(name);
        return true;
      },
    });
    held.emit('a');
    held.emit('b');
    expect(() => held.release()).toThrow('broken listener');
    expect(held.emit('c')).toBe(true);
    expect(emitted).toEqual(['b', 'c']);
  });
});

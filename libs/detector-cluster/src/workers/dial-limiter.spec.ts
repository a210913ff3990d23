import { describe, expect, it } from 'vitest';
import { DialLimiter } from './dial-limiter.js';

/** Dials that have a place, in the order in which they got it. */
function dialling(limiter: DialLimiter) {
  const placed: string[] = [];
  const releases = new Map<string, () => void>();
  const dial = (name: string, answered: boolean) =>
    void limiter.acquire(answered).then((release) => {
      placed.push(name);
      releases.set(name, release);
    });
  const release = (name: string) => releases.get(name)!();
  return { dial, placed, release };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('DialLimiter', () => {
  it('gives out at most the given number of places, in order', async () => {
    const { dial, placed, release } = dialling(new DialLimiter(6));
    for (let i = 0; i < 8; i++) dial(`a${i}`, true);
    await settled();
    expect(placed).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
    release('a3');
    release('a3');
    await settled();
    expect(placed.slice(6)).toEqual(['a6']);
  });

  it('keeps places for hosts that have answered, and lets them go first', async () => {
    const { dial, placed, release } = dialling(new DialLimiter(6));
    for (let i = 0; i < 100; i++) dial(`silent${i}`, false);
    await settled();
    expect(placed).toEqual(['silent0', 'silent1']);
    for (let i = 0; i < 5; i++) dial(`healthy${i}`, true);
    await settled();
    expect(placed.slice(2)).toEqual(['healthy0', 'healthy1', 'healthy2', 'healthy3']);
    release('silent0');
    await settled();
    expect(placed.slice(6)).toEqual(['healthy4']);
    release('silent1');
    await settled();
    expect(placed.slice(7)).toEqual(['silent2']);
  });
});

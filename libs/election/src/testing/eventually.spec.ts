import { describe, expect, it } from 'vitest';
import { standStill } from '../test-support/stand-still.js';
import { eventually } from './eventually.js';

describe('eventually', () => {
  it('looks for the whole time, and then names what did not happen', async () => {
    const began = performance.now();
    await expect(eventually('a miracle', 100, () => false)).rejects.toThrow('not within 100 ms: a miracle');
    expect(performance.now() - began).toBeGreaterThanOrEqual(100);
  });

  it('does not count the time in which its process stands still', async () => {
    let looks = 0;
    setTimeout(() => standStill(1_000), 1);
    expect(await eventually('ten looks', 500, () => ++looks >= 10)).toBe(true);
  });
});

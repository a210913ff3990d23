import { describe, expect, it } from 'vitest';
import { ExcessWatch } from './excess-watch.js';

describe('ExcessWatch', () => {
  it('holds once excess has come for 5 s without a pause of 2 s, until it stops', () => {
    const watch = new ExcessWatch();
    expect(watch.persistsAt(0)).toBe(false);
    for (let now = 0; now <= 5_000; now += 1_000) {
      watch.note(now);
      expect([now, watch.persistsAt(now)]).toEqual([now, now === 5_000]);
    }
    expect(watch.persistsAt(7_000)).toBe(true);
    expect(watch.persistsAt(7_001)).toBe(false);
  });

  it('lasts for as long as a socket is paused', () => {
    const watch = new ExcessWatch();
    watch.note(0);
    watch.lasted(4_000);
    watch.note(5_500);
    expect(watch.persistsAt(5_500)).toBe(true);
  });

  it('begins again after a pause', () => {
    const watch = new ExcessWatch();
    for (const now of [0, 1_900, 3_800, 5_801, 7_700]) watch.note(now);
    expect(watch.persistsAt(7_700)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { FlapWatch } from './flap-watch.js';

const MINUTE = 60_000;
const NOW = 1_700_000_000_000;

/** A worker among the given number that is lost three times in a row. */
function flapping(watch: FlapWatch, url: string, at = NOW, workers = 3): void {
  for (const offset of [0, 1_000, 2_000]) watch.lost(url, at + offset, workers);
}

describe('FlapWatch', () => {
  it('quarantines a worker that was lost three times within five minutes, for a minute', () => {
    const watch = new FlapWatch();
    watch.lost('a', NOW, 3);
    watch.lost('a', NOW + MINUTE, 3);
    expect(watch.isQuarantined('a', NOW + MINUTE)).toBe(false);
    watch.lost('a', NOW + 2 * MINUTE, 3);
    expect(watch.isQuarantined('a', NOW + 2 * MINUTE)).toBe(true);
    expect(watch.until('a')).toBe(NOW + 3 * MINUTE);
    expect(watch.isQuarantined('a', NOW + 3 * MINUTE)).toBe(false);
  });

  it('forgives losses that are further apart', () => {
    const watch = new FlapWatch();
    for (let i = 0; i < 10; i++) watch.lost('a', NOW + i * 3 * MINUTE, 3);
    expect(watch.until('a')).toBe(0);
  });

  it('lasts twice as long each time, at most ten minutes, and starts over after a quiet half hour', () => {
    const watch = new FlapWatch();
    const lengths: number[] = [];
    let now = NOW;
    for (let i = 0; i < 6; i++) {
      flapping(watch, 'a', now);
      lengths.push((watch.until('a') - (now + 2_000)) / MINUTE);
      now = watch.until('a') + 6 * MINUTE;
    }
    expect(lengths).toEqual([1, 2, 4, 8, 10, 10]);
    now += 31 * MINUTE;
    flapping(watch, 'a', now);
    expect(watch.until('a') - (now + 2_000)).toBe(MINUTE);
  });

  it('never quarantines more than a third of the workers: where all flap, the fault is elsewhere', () => {
    const watch = new FlapWatch();
    for (const url of ['a', 'b', 'c', 'd', 'e', 'f']) flapping(watch, url, NOW, 6);
    const quarantined = ['a', 'b', 'c', 'd', 'e', 'f'].filter((url) => watch.isQuarantined(url, NOW + 2_000));
    expect(quarantined).toEqual(['a', 'b']);
    const pair = new FlapWatch();
    flapping(pair, 'a', NOW, 2);
    expect(pair.until('a')).toBe(0);
  });

  it('continues from the memory of a predecessor', () => {
    const first = new FlapWatch();
    flapping(first, 'a');
    first.lost('b', NOW, 3);
    const memory = JSON.parse(JSON.stringify(first.memory(NOW + 3_000))) as ReturnType<FlapWatch['memory']>;
    const second = new FlapWatch();
    second.restore(memory);
    expect(second.until('a')).toBe(first.until('a'));
    expect(Object.keys(memory).sort()).toEqual(['a', 'b']);
    expect(first.memory(NOW + 60 * MINUTE)).toEqual({});
  });

  it('forgets workers that are gone, and no others', () => {
    const watch = new FlapWatch();
    for (const url of ['a', 'b']) watch.lost(url, NOW, 3);
    watch.keep(['b', 'c']);
    expect(Object.keys(watch.memory(NOW))).toEqual(['b']);
  });

  it('counts the workers that flood only until the one that it is about is quarantined', () => {
    const watch = new FlapWatch();
    let counts = 0;
    for (let detection = 0; detection < 1_000; detection++) watch.floods('a', NOW, 3, () => ++counts);
    expect(watch.reasonOf('a')).toBe('flooding');
    expect(watch.isQuarantined('a', NOW)).toBe(true);
    expect(counts).toBe(1);
  });

  it('does not quarantine a worker if too many flood', () => {
    const watch = new FlapWatch();
    watch.floods('a', NOW, 3, () => 2);
    expect(watch.isQuarantined('a', NOW)).toBe(false);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { FormatRise } from './format-rise.js';

const versions = ['1.0.0', '1.1.0', '1.2.0'];
const of = (...levels: number[]) => levels.map((formatLevel, i) => ({ nodeId: `node-${i}`, formatLevel }));

describe('FormatRise', () => {
  let rise: FormatRise;
  /** Looks twice a second, and returns the last answer. */
  const looks = (from: number, to: number, levels: number[], written = 1) => {
    let formats = null;
    for (let now = from; now <= to; now += 500) formats = rise.look(now, of(...levels), written, versions);
    return formats;
  };
  beforeEach(() => {
    rise = new FormatRise({ nodeId: 'node-0', validity: 45_000, maxGap: 2_000 });
  });

  it('returns the lowest level of all processes after they have understood it for long enough', () => {
    expect(looks(0, 44_500, [2, 3])).toBeNull();
    expect(looks(45_000, 45_000, [2, 3])).toEqual({ level: 2, version: '1.1.0' });
  });

  it('returns no level that this process does not understand', () => {
    expect(looks(0, 60_000, [4, 5])).toEqual({ level: 3, version: '1.2.0' });
    expect(looks(60_500, 120_000, [4, 5], 3)).toBeNull();
  });

  it('returns nothing while a process understands only what is written', () => {
    expect(looks(0, 120_000, [1, 2])).toBeNull();
    expect(looks(120_500, 240_000, [2, 3], 2)).toBeNull();
  });

  it.each([
    ['a process that understands less', () => void looks(30_000, 30_000, [1, 2])],
    ['another level', () => void looks(30_000, 30_000, [3, 3])],
    ['a restart', () => rise.restart()],
    ['a look that misses the master itself', () => void looks(30_000, 30_000, [])],
    ['a long time without a look', () => void looks(32_000, 32_000, [2, 2])],
  ])('begins again after %s', (_name, disturb) => {
    looks(0, 29_500, [2, 2]);
    disturb();
    expect(looks(30_500, 75_000, [2, 2])).toBeNull();
    expect(looks(75_500, 77_500, [2, 2])).toMatchObject({ level: 2 });
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { runInSlices } from './run-in-slices.js';
import { TimeSlices } from './time-slices.js';
import { runToEnd, inChunks } from '@detector-cluster/placement/internal';

/** Each reading of the clock is this many milliseconds after the previous one. */
const clockOf = (step: number) => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step));
};
/** Counts how often the event loop comes around. */
const countTurns = () => {
  const counted = { turns: 0, end: () => clearImmediate(next) };
  const turn = () => {
    counted.turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return counted;
};

describe('a computation that may be interrupted', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const items = Array.from({ length: 5_000 }, (_, i) => i);

  it('takes all items in order, whether it is hurried or not', async () => {
    const [hurried, calm]: number[][] = [[], []];
    runToEnd(inChunks(items, (item) => void hurried!.push(item)));
    await runInSlices(inChunks(items, (item) => void calm!.push(item)));
    expect(hurried).toEqual(items);
    expect(calm).toEqual(items);
  });

  it('lets timers and sockets have many a turn when it takes long: an answer may need several', async () => {
    clockOf(15);
    const loop = countTurns();
    await runInSlices(inChunks(items, () => undefined));
    loop.end();
    // Fifty pauses, each of some milliseconds.
    expect(loop.turns).toBeGreaterThan(100);
  });

  it('leaves other work one turn after each slice when it is urgent', async () => {
    clockOf(15);
    const loop = countTurns();
    await runInSlices(
      inChunks(items, () => undefined),
      new TimeSlices(true),
    );
    loop.end();
    expect(loop.turns).toBeLessThan(100);
  });

  it('shares no turn with another computation, whether they are urgent or not', async () => {
    clockOf(15);
    const loop = countTurns();
    const turns: number[] = [];
    const computation = (isUrgent: boolean) =>
      runInSlices(
        inChunks(items, (item) => {
          if (item % 100 === 0) turns.push(loop.turns);
        }),
        new TimeSlices(isUrgent),
      );
    await Promise.all([true, true, true, false, false].map(computation));
    loop.end();
    // The first slices are those of the callers.
    const later = turns.filter((turn) => turn > 0);
    expect(later).toHaveLength(5 * 49);
    expect(new Set(later).size).toBe(later.length);
  });

  it('does not wait at all when it is short', async () => {
    clockOf(0.001);
    const loop = countTurns();
    await runInSlices(inChunks(items, () => undefined));
    loop.end();
    expect(loop.turns).toBe(0);
  });

  it('counts its own time, and not the time that others took in between', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const slices = new TimeSlices();
    now = 30;
    expect(slices.isDue()).toBe(true);
    const pause = slices.pause();
    now = 1_000;
    await pause;
    expect([slices.isDue(), slices.spent]).toEqual([false, 30]);
    now = 1_007;
    expect(slices.spent).toBe(37);
  });

  it('ends where it fails', async () => {
    const failing = inChunks(items, (item) => {
      if (item === 700) throw new Error('here');
    });
    await expect(runInSlices(failing)).rejects.toThrow('here');
  });
});

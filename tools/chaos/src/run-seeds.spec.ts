import { describe, expect, it } from 'vitest';
import type { Figures } from './scenario.js';
import { runSeeds } from './run-seeds.js';

const { signal } = new AbortController();

/** A scenario with known figures for each seed. */
const scenario = (figures: Readonly<Record<number, Figures>>) => (seed: number) =>
  Promise.resolve(figures[seed]!);

describe('runSeeds', () => {
  it('runs one seed after the other, from the first on', async () => {
    const seeds: number[] = [];
    let running = 0;
    const run = async (seed: number) => {
      expect(++running).toBe(1);
      seeds.push(seed);
      await Promise.resolve();
      running--;
      return { ok: true };
    };
    expect(await runSeeds(run, 41, 3, signal)).toEqual({
      ok: true,
      seeds: { first: 41, count: 3 },
      failedSeeds: [],
      worst: {},
      total: {},
    });
    expect(seeds).toEqual([41, 42, 43]);
  });

  it('takes the highest value of each figure, and adds up counts', async () => {
    const run = scenario({
      1: { ok: true, streams: 1, duplicates: 7, readyMs: 900, maxDialsInFlight: 16, duplicateShare: 0.25 },
      2: { ok: true, streams: 2, duplicates: 5, readyMs: 1_100, maxDialsInFlight: 12, duplicateShare: 0.5 },
    });
    expect(await runSeeds(run, 1, 2, signal)).toMatchObject({
      worst: { streams: 2, duplicates: 7, readyMs: 1_100, maxDialsInFlight: 16, duplicateShare: 0.5 },
      total: { streams: 3, duplicates: 12 },
    });
  });

  it('does not add up durations, shares, rates, settings or maxima', async () => {
    const figures = { drainMs: 1, duplicateShare: 1, perSecond: 1, writesPerSecond: 1, reportInterval: 1 };
    const result = await runSeeds(
      scenario({ 1: { ok: true, ...figures, maxGapMs: 1, max: 1 } }),
      1,
      1,
      signal,
    );
    expect(result.total).toEqual({});
  });

  it('takes the lowest value of a rate', async () => {
    const run = scenario({
      1: { ok: true, writesPerSecond: 1_500 },
      2: { ok: true, writesPerSecond: 2_000 },
    });
    expect(await runSeeds(run, 1, 2, signal)).toMatchObject({ worst: { writesPerSecond: 1_500 } });
  });

  it('names the failed seeds, and the errors of runs that could not measure', async () => {
    const run = scenario({
      1: { ok: true, lost: 0 },
      2: { ok: false, lost: 3 },
      3: { ok: false, error: 'timed out' },
    });
    expect(await runSeeds(run, 1, 3, signal)).toEqual({
      ok: false,
      seeds: { first: 1, count: 3 },
      failedSeeds: [2, 3],
      errors: { '3': 'timed out' },
      worst: { lost: 3 },
      total: { lost: 3 },
    });
  });

  it('omits figures that are not numbers', async () => {
    const run = scenario({ 1: { ok: true, note: 'text', share: Number.NaN, list: [1], nested: { n: 1 } } });
    expect(await runSeeds(run, 1, 1, signal)).toMatchObject({ worst: {}, total: {} });
  });

  it('starts no further run after an abort, and is not ok', async () => {
    const stop = new AbortController();
    const run = (seed: number) => {
      if (seed === 2) stop.abort();
      return Promise.resolve({ ok: true, moves: 1 });
    };
    expect(await runSeeds(run, 1, 5, stop.signal)).toEqual({
      ok: false,
      seeds: { first: 1, count: 2 },
      failedSeeds: [],
      worst: { moves: 1 },
      total: { moves: 2 },
    });
  });
});

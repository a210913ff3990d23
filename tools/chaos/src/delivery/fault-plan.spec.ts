import { SeededRandom } from '@detector-cluster/local-cluster';
import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, planRound } from './fault-plan.js';

describe('planRound', () => {
  it('plans the same faults for the same seed, and others for another', () => {
    expect(planRound(new SeededRandom(7))).toEqual(planRound(new SeededRandom(7)));
    expect(planRound(new SeededRandom(7))).not.toEqual(planRound(new SeededRandom(8)));
  });

  it('has every kind in each round, in varying order', () => {
    const random = new SeededRandom(1);
    const rounds = [planRound(random), planRound(random)].map((round) => round.map(({ kind }) => kind));
    for (const round of rounds) expect([...new Set(round)].sort()).toEqual([...FAULT_KINDS].sort());
    expect(rounds[0]).not.toEqual(rounds[1]);
  });

  it('freezes processes for 1 to 10 s, and Redis for 1 to 5 s', () => {
    const faults = Array.from({ length: 50 }, (_, seed) => planRound(new SeededRandom(seed))).flat();
    const range = (wanted: string) => {
      const durations = faults.filter(({ kind }) => kind === wanted).map(({ duration }) => duration);
      return [Math.min(...durations), Math.max(...durations)].map((ms) => Math.round(ms / 1_000));
    };
    expect(range('freeze')).toEqual([1, 10]);
    expect(range('isolate')).toEqual([4, 10]);
    expect(range('freezeRedis')).toEqual([1, 5]);
  });
});

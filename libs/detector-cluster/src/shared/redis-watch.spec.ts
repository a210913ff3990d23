import { VirtualClock } from '@detector-cluster/election/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { RedisWatch, type RedisOutage } from './redis-watch.js';

describe('RedisWatch', () => {
  let clock: VirtualClock;
  let answers: boolean;
  let asked: number;
  let outages: RedisOutage[];
  let watch: RedisWatch;

  beforeEach(() => {
    clock = new VirtualClock();
    answers = true;
    asked = 0;
    outages = [];
    watch = new RedisWatch({
      clock,
      answers: async () => {
        asked++;
        return answers;
      },
      onEnd: (outage) => outages.push(outage),
    });
  });

  /** Lets time pass, a multiple of 250 ms. */
  const pass = async (duration: number) => {
    for (let passed = 0; passed < duration; passed += 250) {
      await new Promise(setImmediate);
      clock.advance(250);
    }
    await new Promise(setImmediate);
  };

  it('reports an outage once it is over, with its times', async () => {
    answers = false;
    const since = clock.wallNow();
    watch.failed();
    await pass(12_000);
    expect(outages).toEqual([]);
    answers = true;
    await pass(1_000);
    expect(outages).toEqual([{ since, until: expect.any(Number) }]);
    expect(outages[0]!.until - since).toBeGreaterThanOrEqual(12_000);
    expect(outages[0]!.until - since).toBeLessThan(12_500);
  });

  it('reports several outages, each once', async () => {
    for (let n = 1; n <= 2; n++) {
      answers = false;
      for (let i = 0; i < 10; i++) watch.failed();
      await pass(3_000);
      answers = true;
      await pass(3_000);
      expect(outages).toHaveLength(n);
    }
  });

  it('ignores a failure if Redis answers afterwards', async () => {
    watch.failed();
    await pass(5_000);
    expect(asked).toBe(1);
    expect(outages).toEqual([]);
  });

  it('reports nothing after it was closed', async () => {
    answers = false;
    watch.failed();
    await pass(1_000);
    watch.close();
    answers = true;
    await pass(1_000);
    watch.failed();
    await pass(1_000);
    expect(outages).toEqual([]);
  });
});

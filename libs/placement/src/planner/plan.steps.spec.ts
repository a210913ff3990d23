import { describe, expect, it } from 'vitest';
import { planSteps } from './plan.js';
import { units, workers } from './test-support/build.js';

/** Reads of one kind of item, counted from one pause to the next. */
function countingReads<T extends object>(items: readonly T[]) {
  const count = { reads: 0 };
  const counted = items.map(
    (item) =>
      new Proxy(item, {
        get(target, key) {
          count.reads++;
          return Reflect.get(target, key) as unknown;
        },
      }),
  );
  return { count, counted };
}

describe('a plan that may be interrupted', () => {
  // Without pauses, a step would read each of the cooldowns. Sorting a thousand of them is one step.
  it('reads few of very many cooldowns between two pauses', () => {
    const now = 1_000_000;
    const planned = units(20_000);
    const { count, counted } = countingReads(
      planned.map(({ unitId }) => [unitId, now + 1_000] as [unitId: string, until: number]),
    );
    const steps = planSteps({
      units: planned,
      workers: workers(20, { capacity: 2_000 }),
      placements: new Map(planned.map(({ unitId }, i) => [unitId, `w${i % 10}`])),
      rebalance: {
        now,
        state: {
          rebalancing: null,
          cooldowns: counted,
          round: { startedAt: now, moves: 0 },
          membership: { digest: 0, since: 0 },
        },
      },
    });
    let most = 0;
    for (let done = false; !done;) {
      count.reads = 0;
      done = steps.next().done === true;
      most = Math.max(most, count.reads);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(2_000);
  });
});

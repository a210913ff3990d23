import { describe, expect, it } from 'vitest';
import { confirmationDue, penaltyDuration } from './confirmation.js';

/** Steps from wake to wake like a reconciler that obeys every decision. */
function schedule(until: number) {
  const sends: number[] = [];
  let refusedAt: number | null = null;
  let attempts = 1;
  let now = 0;
  while (now < until) {
    const due = confirmationDue(0, attempts, now);
    if (due.send) {
      sends.push(now);
      attempts++;
    }
    if (due.refused) refusedAt ??= now;
    expect(due.until).toBeGreaterThan(now);
    now = due.until;
  }
  return { sends, refusedAt };
}

describe('confirmation', () => {
  it('resends at 4 s and 7 s, gives up at 10 s and then offers it every 30 s', () => {
    expect(schedule(120_000)).toEqual({ sends: [4_000, 7_000, 40_000, 70_000, 100_000], refusedAt: 10_000 });
  });

  it('lengthens the penalty of a worker that refuses again', () => {
    expect([1, 2, 3, 9].map(penaltyDuration)).toEqual([60_000, 120_000, 240_000, 600_000]);
  });
});

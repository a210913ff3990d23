import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { leadWhileLocked } from './leader-libraries.js';

/** A lock that is free once `failures` attempts have failed. */
function fakeLock(failures: number) {
  const lost: AbortController[] = [];
  let attempts = 0;
  let held = 0;
  const using = async (routine: (signal: AbortSignal) => Promise<void>) => {
    if (attempts++ < failures) throw new Error('locked');
    const controller = new AbortController();
    lost.push(controller);
    held++;
    await routine(controller.signal).finally(() => held--);
  };
  const redis = { disconnect: () => undefined };
  return { redis, lost, using, isHeld: () => held > 0, attempts: () => attempts };
}

const until = async (holds: () => boolean) => {
  while (!holds()) await turn();
};

describe('leadWhileLocked', () => {
  it('tries until it has the lock, and reports each election', async () => {
    const lock = fakeLock(2);
    let elected = 0;
    const candidacy = leadWhileLocked(lock.redis, lock.using, () => elected++);
    expect(candidacy.isLeader()).toBe(false);
    await until(() => elected === 1);
    expect([candidacy.isLeader(), lock.attempts()]).toEqual([true, 3]);

    lock.lost[0]!.abort();
    expect(candidacy.isLeader()).toBe(false);
    await until(() => elected === 2);
    expect(candidacy.isLeader()).toBe(true);
    await candidacy.leave();
    expect([candidacy.isLeader(), lock.isHeld(), lock.attempts()]).toEqual([false, false, 4]);
  });

  it('does not lead with a lock that arrives after it has left', async () => {
    const lock = fakeLock(0);
    let free!: () => void;
    const freed = new Promise<void>((resolve) => (free = resolve));
    const candidacy = leadWhileLocked(
      lock.redis,
      (routine) => freed.then(() => lock.using(routine)),
      () => undefined,
    );
    const left = candidacy.leave();
    free();
    await left;
    expect([candidacy.isLeader(), lock.isHeld()]).toEqual([false, false]);
  });
});

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Candidacy } from './leader-library.js';

/** Runs a routine under a lock that the library extends; the signal aborts when it could not. */
export type UsingLock = (routine: (lost: AbortSignal) => Promise<void>) => Promise<unknown>;

/** Between a failure to take the lock, after all the retries of the library, and the next attempt. Milliseconds. */
const PAUSE = 10;

/** Leads with a library that only has locks: the holder of the lock leads, and all others keep trying to take it. */
export function leadWhileLocked(using: UsingLock, onElected: () => void): Candidacy {
  const leaving = new AbortController();
  let held: AbortSignal | undefined;
  const lead = async (lost: AbortSignal) => {
    held = lost;
    onElected();
    const end = AbortSignal.any([lost, leaving.signal]);
    if (!end.aborted) await once(end, 'abort');
    held = undefined;
  };
  const compete = async () => {
    while (!leaving.signal.aborted) {
      await using(lead).catch(() => undefined);
      await sleep(PAUSE);
    }
  };
  const competing = compete();
  return {
    isLeader: () => held !== undefined && !held.aborted,
    leave: () => {
      leaving.abort();
      return competing;
    },
  };
}

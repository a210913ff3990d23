import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Candidacy } from './leader-libraries.js';

/** Runs a routine under a lock that the library extends; the signal aborts if an extension fails. */
export type UsingLock = (routine: (lost: AbortSignal) => Promise<void>) => Promise<unknown>;

/** Pause before the next attempt after the library has used up all its retries. Milliseconds. */
const PAUSE = 10;

/**
 * Leads with a library that only has locks: the lock's holder leads, and all others keep trying to take it.
 * @param onLeft called when it competes no longer
 */
export function leadWhileLocked(
  using: UsingLock,
  onElected: () => void,
  onLeft: () => void = () => undefined,
): Candidacy {
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
    leave: async () => {
      leaving.abort();
      await competing;
      onLeft();
    },
  };
}

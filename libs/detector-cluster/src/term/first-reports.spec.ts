import { VirtualClock } from '@detector-cluster/election/testing';
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { WorkerPool } from '../workers/worker-pool.js';
import { firstReports } from './first-reports.js';

const TIMEOUT = 5_000;

/** Workers that report at these instants; `Infinity`: never. Resolves with when the wait for them has ended. */
async function endWith(reportsAt: readonly number[], stoppedAt = Infinity): Promise<number> {
  const clock = new VirtualClock();
  const stop = new AbortController();
  class Workers extends EventEmitter {
    get awaited() {
      return reportsAt.filter((at) => at > clock.now()).length;
    }

    settled(timeout: number, now: number) {
      return now >= timeout || this.awaited === 0;
    }
  }
  const pool = new Workers();
  const end = { at: Infinity };
  const waited = firstReports(pool as unknown as WorkerPool, TIMEOUT, stop.signal, clock);
  void waited.then(() => (end.at = clock.now()));
  await turn();
  while (end.at === Infinity && clock.now() < 2 * TIMEOUT) {
    clock.advance(1);
    if (reportsAt.includes(clock.now())) pool.emit('change');
    if (clock.now() === stoppedAt) stop.abort();
    await turn();
  }
  expect([pool.listenerCount('change'), clock.pending]).toEqual([0, 0]);
  return end.at;
}

it.each([
  ['at once without workers', [], 0],
  ['with the last report', [3, 40, 170, 400], 400],
  ['250 ms after the last report if the others are silent', [3, 40, Infinity], 290],
  ['250 ms after the start if all are silent', [Infinity], 250],
  [
    'at the timeout, however many still report',
    Array.from({ length: 100 }, (_, i) => 100 * (i + 1)),
    TIMEOUT,
  ],
])('a new master begins %s', async (_, reportsAt, at) => {
  expect(await endWith(reportsAt)).toBe(at);
});

it('a master whose term has ended waits no longer', async () => {
  expect(await endWith([Infinity, 100], 120)).toBe(120);
});

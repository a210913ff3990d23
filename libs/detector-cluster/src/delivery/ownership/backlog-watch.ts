import { RedisScript } from '@detector-cluster/election/redis';
import { delay } from '../../util/delay.js';
import { findWorkerEntry } from '../scripts/scripts.generated.js';
import type { RouterContext } from '../router/router-context.js';
import type { StreamWriter } from '../writing/stream-writer.js';

const script = new RedisScript<[code: number, id: string]>(findWorkerEntry);

/** How often an owner's progress is looked at. Milliseconds. */
const LOOK_AGAIN = 5;
const PAGE = 500;

/**
 * Waits until an owner has acknowledged everything that it got for a worker whose detections are held. Resolves with
 * false when `giveUp` says so first, or Redis fails.
 */
export async function backlogFinished(
  context: RouterContext,
  owner: StreamWriter,
  worker: string,
  giveUp: () => boolean,
): Promise<boolean> {
  const { keys, redis, sequence, signal, term } = context;
  const done = () => signal.aborted || giveUp();
  while (owner.owes(worker)) {
    if (done()) return false;
    await delay(LOOK_AGAIN, signal);
  }
  // Also what was moved to it: that has not gone through its writer.
  const last = `${term}-${sequence.last}`;
  let from = '-';
  while (!done()) {
    try {
      const [code, id] = await script.run(redis, [keys.slave(owner.processId)], [worker, from, last, PAGE]);
      if (code < 0) return true;
      from = id;
      if (code > 0) await delay(LOOK_AGAIN, signal);
    } catch {
      return false;
    }
  }
  return false;
}

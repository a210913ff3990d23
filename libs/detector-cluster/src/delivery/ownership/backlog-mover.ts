import { RedisScript } from '@detector-cluster/election/redis';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import { reroute } from '../scripts/scripts.generated.js';
import type { RouterContext } from '../router/router-context.js';
import type { WriterPool } from '../writing/writer-pool.js';

const script = new RedisScript<
  [code: number, moved: number, discarded: number, highest: number, owner: number]
>(reroute);

/** First element of the reply of `reroute.lua`. */
const RerouteCode = { more: 1, done: 2, ownerWithoutStream: -1, deposed: -2 } as const;

/** Moves what a dead process left in Redis to the new owners. */
export class BacklogMover {
  constructor(
    private readonly context: RouterContext,
    private readonly writers: WriterPool,
  ) {}

  /**
   * Moves everything before anything new goes to the new owners, and forgets the process. Goes on through outages.
   * Returns a new owner that turned out to have no stream, null when all is done or the router has ended.
   * @param heirs who may get something; the first what nobody owns
   * @param owners worker → process
   */
  async move(
    processId: string,
    heirs: readonly string[],
    owners: ReadonlyMap<string, string>,
  ): Promise<string | null> {
    const targets = heirs.map((heir) => this.writers.of(heir));
    await Promise.all(targets.map((target) => target.pause()));
    try {
      return await this.run(processId, heirs, owners);
    } finally {
      for (const target of targets) target.resume();
    }
  }

  private async run(
    processId: string,
    heirs: readonly string[],
    owners: ReadonlyMap<string, string>,
  ): Promise<string | null> {
    const { counters, deposed, isValid, keys, onEvent, options, redis, sequence, signal, term } =
      this.context;
    const keysOfCall = [
      keys.slave(processId),
      keys.fence,
      keys.streams,
      keys.interests,
      keys.interestsSeen,
      keys.dropped,
      ...heirs.map((heir) => keys.slave(heir)),
    ];
    const args = [
      term,
      processId,
      options.rerouteBatch,
      1,
      ...heirs,
      ...[...owners].flatMap(([worker, owner]) => {
        const heir = heirs.indexOf(owner);
        return heir === -1 ? [] : [worker, heir + 1];
      }),
    ];
    let total = 0;
    let discardedTotal = 0;
    for (let failures = 0; !signal.aborted;) {
      if (!isValid()) {
        await delay(20, signal);
        continue;
      }
      try {
        const [code, moved, discarded, highest, owner] = await script.run(redis, keysOfCall, args);
        failures = 0;
        total += moved;
        discardedTotal += discarded;
        counters.rerouted += moved;
        counters.listenerEntriesDiscarded += discarded;
        sequence.last = Math.max(sequence.last, highest);
        if (code === RerouteCode.more) continue;
        if (code === RerouteCode.deposed) deposed();
        if (code === RerouteCode.done && total + discardedTotal > 0)
          onEvent({ type: 'rerouted', processId, moved: total, listenerEntriesDiscarded: discardedTotal });
        return code === RerouteCode.ownerWithoutStream ? heirs[owner - 1]! : null;
      } catch (error) {
        if (signal.aborted) break;
        onEvent({ type: 'redis-error', error: asError(error) });
        await delay(Math.min(50 * 2 ** Math.min(failures++, 4), 500), signal);
      }
    }
    return null;
  }
}

import { RedisScript } from '@detector-cluster/election/redis';
import { delay } from '../../util/delay.js';
import { asError } from '../as-error.js';
import type { InterestIndex } from '../interest/interest-index.js';
import type { Ownership } from '../ownership/ownership.js';
import type { RouterContext } from '../router/router-context.js';
import { replay } from '../scripts/scripts.generated.js';
import type { WriterPool } from '../writing/writer-pool.js';
import { parseDeadLetter, type DeadLetter } from './dead-letter.js';

const script = new RedisScript<[code: number, replayed: number, highest: number, target: number]>(replay);

/** First element of the reply of `replay.lua`. */
const ReplayCode = { done: 1, noStream: -1, deposed: -2 } as const;

/** Letters of one call: they carry whole frames. */
const BATCH = 100;

/** How long letters wait for a process that can take them. Milliseconds. */
const LOOK_AGAIN = 200;

type Route = readonly [letterId: string, target: string | null];

export interface ReplayerParts {
  readonly writers: WriterPool;
  readonly ownership: Pick<Ownership, 'ownerOrAny' | 'serves'>;
  readonly interests: Pick<InterestIndex, 'interested'>;
}

/** Puts the dead letters that are asked for back into delivery; in the master, because only it writes to the streams. */
export class Replayer {
  private running = false;
  private again = false;

  constructor(
    private readonly context: RouterContext,
    private readonly parts: ReplayerParts,
  ) {}

  /** Looks for requests; calls during a look cause one more. */
  soon(): void {
    this.again = true;
    if (!this.running) void this.loop();
  }

  private async loop(): Promise<void> {
    const { onEvent, signal } = this.context;
    this.running = true;
    while (this.again && !signal.aborted) {
      this.again = false;
      try {
        while (await this.next());
      } catch (error) {
        if (signal.aborted) return;
        onEvent({ type: 'redis-error', error: asError(error) });
        this.again = true;
        await delay(LOOK_AGAIN, signal);
      }
    }
    this.running = false;
  }

  /** Deals with the oldest requests; true when there may be more. */
  private async next(): Promise<boolean> {
    const { isValid, keys, redis, signal } = this.context;
    const ids = await redis.zrange(keys.replayRequests, 0, String(BATCH - 1));
    if (ids.length === 0 || signal.aborted) return false;
    const found = (await Promise.all(ids.map((id) => redis.xrange(keys.deadLetters, id, id)))).flat();
    const letters = new Map(found.map(([id, flat]) => [id, parseDeadLetter(id, flat)]));
    const routes: Route[] = [];
    for (const id of ids) {
      const letter = letters.get(id);
      const target = letter === undefined ? null : this.targetOf(letter);
      if (target !== undefined) routes.push([id, target]);
    }
    // While a dead owner is being replaced, and while this process may not write.
    if (routes.length === 0 || !isValid() || !(await this.write(routes))) await delay(LOOK_AGAIN, signal);
    return !signal.aborted;
  }

  /** The process that gets the letter, null when nobody can use it any more, undefined when that cannot be said yet. */
  private targetOf(letter: DeadLetter): string | null | undefined {
    const { interests, ownership } = this.parts;
    if (letter.audience !== 'listener') return ownership.ownerOrAny(letter.workerUrl);
    const listening = interests.interested(letter.subscriptionIdentifier ?? '');
    const serving = listening.filter((processId) => ownership.serves(processId));
    return serving.includes(letter.processId) ? letter.processId : (serving[0] ?? null);
  }

  /** Repeats the call until its outcome is known: its ids must not be given to anything else. */
  private async write(routes: readonly Route[]): Promise<boolean> {
    const { counters, deposed, keys, onEvent, redis, sequence, signal, term } = this.context;
    const targets = [...new Set(routes.flatMap(([, target]) => target ?? []))];
    const writers = targets.map((target) => this.parts.writers.of(target));
    const streams = targets.map((target) => keys.slave(target));
    const args = routes.flatMap(([id, target]) => [
      id,
      String(target === null ? 0 : targets.indexOf(target) + 1),
    ]);
    await Promise.all(writers.map((writer) => writer.pause()));
    try {
      while (!signal.aborted) {
        try {
          const [code, replayed, highest] = await script.run(
            redis,
            [keys.deadLetters, keys.replayRequests, keys.fence, ...streams],
            [term, ...args],
          );
          sequence.last = Math.max(sequence.last, highest);
          counters.replayed += replayed;
          if (code === ReplayCode.deposed) deposed();
          return code === ReplayCode.done;
        } catch (error) {
          if (!signal.aborted) onEvent({ type: 'redis-error', error: asError(error) });
          await delay(LOOK_AGAIN, signal);
        }
      }
      return false;
    } finally {
      for (const writer of writers) writer.resume();
    }
  }
}

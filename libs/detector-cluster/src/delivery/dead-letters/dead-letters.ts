import { RedisScript } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { NoMasterError } from '../../model/no-master-error.js';
import { InvalidInputError } from '../../model/subscription-identifier.js';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { delay } from '../../util/delay.js';
import { dropLetters, requestReplay } from '../scripts/scripts.generated.js';
import { parseDeadLetter, type DeadLetter } from './dead-letter.js';

const requestScript = new RedisScript<string[]>(requestReplay);
const dropScript = new RedisScript<[dropped: string[], left: string[]]>(dropLetters);

const PAGE = 500;
const MOST = 1_000;
const never = new AbortController().signal;

export interface DeadLetterPage {
  /** Only letters after this one; default from the oldest on. */
  readonly after?: string;
  /** Most letters, up to 1,000. Default 100. */
  readonly limit?: number;
}

export interface ReplayResult {
  /** Letters that are back in delivery. */
  readonly replayed: number;
  /** Letters that stay: nobody listens to their subscription any more. */
  readonly left: readonly string[];
  /** Ids of which there is no letter: replayed or dropped before, or never there. */
  readonly gone: readonly string[];
}

export interface DropResult {
  /** Letters that this call has removed. */
  readonly dropped: number;
  /** Letters that stay: their replay has been asked for and is still to come. */
  readonly left: readonly string[];
  /** Ids of which there is no letter: replayed or dropped before, or never there. */
  readonly gone: readonly string[];
}

/** The detections that were given up, as any process sees them. */
export class DeadLetters {
  constructor(
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
    /** How long the master may take for the next letters. Milliseconds. */
    private readonly patience = 5_000,
  ) {}

  /**
   * Oldest first. The next page begins `after` the last letter of this one.
   * @throws {InvalidInputError} naming `after` or `limit`
   */
  async list({ after, limit = 100 }: DeadLetterPage = {}): Promise<DeadLetter[]> {
    if (after !== undefined) assertLetterId('after', after);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
      throw new InvalidInputError('limit', `must be a whole number from 1 to ${MOST}`);
    return await this.page(after, limit);
  }

  /**
   * Has the master deliver letters again: to the present owner of their worker, or, where listeners of a subscription
   * failed, to a process that has some. A letter is deleted in the step that makes it an entry again, marked
   * `redelivered`: it is neither lost nor there twice. One that fails again becomes a new letter.
   *
   * The request is kept in Redis and outlives the caller and the master.
   * @param ids ids of letters, or `'all'` for those that exist at this moment
   * @throws {InvalidInputError} naming `ids`; {@link NoMasterError} when no master has begun within 5 s: the next one will
   */
  async replay(ids: readonly string[] | 'all'): Promise<ReplayResult> {
    const asked = await this.asked(ids);
    const found: string[] = [];
    for (const some of pages(asked))
      found.push(
        ...(await requestScript.run(this.redis, [this.keys.deadLetters, this.keys.replayRequests], some)),
      );
    if (found.length > 0) await this.redis.publish(this.keys.replayRequested, String(found.length));
    for (const some of pages(found)) await this.untilDone(some);
    const left = new Set(await this.existing(found));
    const existed = new Set(found);
    return {
      replayed: found.length - left.size,
      left: asked.filter((id) => left.has(id)),
      gone: asked.filter((id) => !existed.has(id)),
    };
  }

  /**
   * Removes letters for good, with or without a master. A letter is either dropped or replayed: one whose replay has been
   * asked for stays.
   * @param ids ids of letters, or `'all'` for those that exist at this moment
   * @throws {InvalidInputError} naming `ids`
   */
  async drop(ids: readonly string[] | 'all'): Promise<DropResult> {
    const asked = await this.asked(ids);
    const dropped = new Set<string>();
    const left = new Set<string>();
    for (const some of pages(asked)) {
      const [removed, kept] = await dropScript.run(
        this.redis,
        [this.keys.deadLetters, this.keys.replayRequests],
        some,
      );
      for (const id of removed) dropped.add(id);
      for (const id of kept) left.add(id);
    }
    return {
      dropped: dropped.size,
      left: [...left],
      gone: asked.filter((id) => !dropped.has(id) && !left.has(id)),
    };
  }

  /** What is meant, each letter once. */
  private async asked(ids: readonly string[] | 'all'): Promise<string[]> {
    if (ids === 'all') return await this.allIds();
    if (!Array.isArray(ids)) throw new InvalidInputError('ids', "must be an array of letter ids, or 'all'");
    for (const id of ids) assertLetterId('ids', id);
    return [...new Set<string>(ids)];
  }

  /** Resolves when the master has dealt with all of these requests. */
  private async untilDone(ids: readonly string[]): Promise<void> {
    let waiting = ids.length;
    let deadline = performance.now() + this.patience;
    for (let wait = 2; ; wait = Math.min(wait * 2, 100)) {
      const places = await this.redis.zmscore(this.keys.replayRequests, ...ids);
      const now = places.filter((place) => place !== null).length;
      if (now === 0) return;
      if (now < waiting) deadline = performance.now() + this.patience;
      else if (performance.now() > deadline) throw new NoMasterError('replayDeadLetters', this.patience);
      waiting = now;
      await delay(wait, never);
    }
  }

  private async page(after: string | undefined, limit: number): Promise<DeadLetter[]> {
    const from = after === undefined ? '-' : `(${after}`;
    const entries = await this.redis.xrange(this.keys.deadLetters, from, '+', 'COUNT', limit);
    return entries.map(([id, flat]) => parseDeadLetter(id, flat));
  }

  private async allIds(): Promise<string[]> {
    const [newest] = await this.redis.xrevrange(this.keys.deadLetters, '+', '-', 'COUNT', 1);
    const ids: string[] = [];
    if (newest === undefined) return ids;
    for (let from = '-'; ;) {
      const entries = await this.redis.xrange(this.keys.deadLetters, from, newest[0], 'COUNT', PAGE);
      ids.push(...entries.map(([id]) => id));
      if (entries.length < PAGE) return ids;
      from = `(${ids.at(-1)!}`;
    }
  }

  private async existing(ids: readonly string[]): Promise<string[]> {
    const { deadLetters } = this.keys;
    const left: string[] = [];
    for (const some of pages(ids)) {
      const found = await Promise.all(some.map((id) => this.redis.xrange(deadLetters, id, id)));
      left.push(...found.flat().map(([id]) => id));
    }
    return left;
  }
}

function assertLetterId(field: string, id: unknown): void {
  if (typeof id !== 'string' || !/^\d{1,16}-\d{1,16}$/.test(id))
    throw new InvalidInputError(field, `must be a letterId of listDeadLetters, got ${JSON.stringify(id)}`);
}

function pages(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, i) => ids.slice(i * PAGE, (i + 1) * PAGE));
}

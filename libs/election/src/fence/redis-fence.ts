import { RedisScript, type ScriptRunner } from '../util/redis-script.js';
import { checkTerm, FencedError, UnreadableFenceError } from './fenced.error.js';
import { guardedWrite } from './scripts.generated.js';

/** A command that writes one key: `['HSET', key, field, value]`. */
export type GuardedCommand = readonly [
  name: string,
  key: string,
  ...args: readonly (string | number | Buffer)[],
];

const script = new RedisScript<[code: number | string, fence: string, replies: unknown[]]>(guardedWrite);

/**
 * A fence in Redis: the application writes through it, and Redis refuses writes of a leader that was replaced. It does not depend
 * on the election, so it works with every backend.
 *
 * One key beside the data holds the highest term that has written. On Redis Cluster that key and all keys written must share a
 * hash tag.
 */
export class RedisFence {
  /**
   * @param redis Connection to where the data is, an ioredis `Redis` or `Cluster`. It should be bounded by `commandTimeout`.
   * @param key Of the fence: one for each resource, `orders:fence`. Must not expire.
   */
  constructor(
    private readonly redis: ScriptRunner,
    private readonly key: string,
  ) {
    if (key === '') throw new TypeError('key must not be empty: name the resource, as in orders:fence');
  }

  /**
   * Shuts out all earlier terms. A new leader does this before it reads the data that it builds on.
   * @throws FencedError; UnreadableFenceError
   */
  async raise(term: number): Promise<void> {
    await this.write(term, []);
  }

  /**
   * Runs the commands in order and without interruption, unless a later term has written. Resolves with their replies.
   * If a command fails, for instance because a key holds another type, the call rejects and the batch ends; the commands before
   * it stay applied. A call whose reply is lost also rejects, although Redis may have applied it.
   * @throws FencedError and UnreadableFenceError when nothing was written; RangeError for an invalid term
   */
  async write(term: number, commands: readonly GuardedCommand[]): Promise<unknown[]> {
    checkTerm(term);
    const keys = [this.key];
    const positions = new Map<string, number>();
    const args: (string | number | Buffer)[] = [term];
    for (const [name, key, ...rest] of commands) {
      let position = positions.get(key);
      if (position === undefined) positions.set(key, (position = keys.push(key)));
      args.push(name, position, rest.length, ...rest);
    }
    const [code, fence, replies] = await script.run(this.redis, keys, args);
    // The caller's connection may return numbers as strings.
    if (Number(code) === -2) throw new UnreadableFenceError(this.key, term, fence);
    if (Number(code) !== 1) throw new FencedError(term, Number(fence));
    return replies;
  }
}

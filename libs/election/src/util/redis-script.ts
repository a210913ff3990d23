import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

type Argument = string | number | Buffer;

/** What a script needs of a connection: an ioredis `Redis` or `Cluster`. */
export type ScriptRunner = Pick<Redis, 'eval' | 'evalsha'>;

interface RedisScriptOptions {
  /**
   * Let the script write although the server's memory is full. Only for scripts that write little and must not fail,
   * such as the renewal of a lease. Servers before Redis 7 do not know this and run the script without it.
   */
  readonly allowOom?: boolean;
}

interface Variant {
  readonly lua: string;
  readonly sha: string;
}

const variantOf = (lua: string): Variant => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

const startsWith = (error: unknown, prefix: string): boolean =>
  error instanceof Error && error.message.startsWith(prefix);

/**
 * A Lua script that is sent by its hash and, where the server does not know it (first use, restart, SCRIPT FLUSH), by its text.
 */
export class RedisScript<Result> {
  private readonly plain: Variant;
  private readonly flagged: Variant | undefined;
  private readonly unflagged = new WeakSet<ScriptRunner>();

  constructor(lua: string, options: RedisScriptOptions = {}) {
    this.plain = variantOf(lua);
    this.flagged = options.allowOom ? variantOf(`#!lua flags=allow-oom\n${lua}`) : undefined;
  }

  async run(redis: ScriptRunner, keys: readonly string[], args: readonly Argument[]): Promise<Result> {
    const flagged = this.unflagged.has(redis) ? undefined : this.flagged;
    const { lua, sha } = flagged ?? this.plain;
    const rest = [...keys, ...args];
    try {
      return (await redis.evalsha(sha, keys.length, ...rest)) as Result;
    } catch (error) {
      if (!startsWith(error, 'NOSCRIPT')) throw error;
    }
    try {
      return (await redis.eval(lua, keys.length, ...rest)) as Result;
    } catch (error) {
      // A script that did not compile has not run, so that it may be sent again in the older form.
      if (!flagged || !startsWith(error, 'ERR Error compiling script')) throw error;
      this.unflagged.add(redis);
      return this.run(redis, keys, args);
    }
  }
}

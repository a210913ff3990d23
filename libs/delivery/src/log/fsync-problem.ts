import { boundedCall, COMMAND_TIMEOUT, StoreUnreachableError } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';

/** What a server answers that cannot say whether its append-only file is on disk. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/unknown command/i, 'this server does not have WAITAOF: use Redis 7.2 or newer, or Valkey'],
  [/appendonly is disabled/i, 'the append-only file of this server is off: set `appendonly yes`'],
  [/NOPERM/, 'the user lacks a right that is needed: +waitaof'],
];

/**
 * Why the server cannot confirm what is on its disk. `undefined` when it can, and while it cannot be asked: then each batch
 * fails until the server confirms it.
 */
export async function fsyncProblem(redis: Redis): Promise<string | undefined> {
  try {
    // The shortest timeout: 0 means none.
    await boundedCall(redis, COMMAND_TIMEOUT, () => redis.call('WAITAOF', 1, 0, 1));
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnreachableError) return undefined;
    const { message } = error as Error;
    const known = REFUSALS.find(([pattern]) => pattern.test(message));
    return known && `acceptance.fsync: ${known[1]} (${message})`;
  }
}

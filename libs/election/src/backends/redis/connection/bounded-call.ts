import type { Redis } from 'ioredis';
import { redial } from './redis-connection.js';
import { StoreError, toStoreError } from './errors/store.error.js';
import { whenReady } from './when-ready.js';

/**
 * Waits at most `timeout` ms for the connection, and then for the call, whose own bound is the connection's
 * `commandTimeout`. Redis may have applied a call that timed out, or may still apply it. The connection is dialled again, because
 * a link that has gone silent stays silent for minutes.
 *
 * @throws StoreUnreachableError, StoreError
 */
export async function boundedCall<Reply>(
  redis: Redis,
  timeout: number,
  call: () => Promise<Reply>,
): Promise<Reply> {
  await whenReady(redis, timeout);
  try {
    return await call();
  } catch (thrown) {
    const error = toStoreError(thrown);
    if (error instanceof StoreError && error.code === 'TIMEOUT') redial(redis);
    throw error;
  }
}

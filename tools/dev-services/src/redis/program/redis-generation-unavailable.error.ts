import { messageOf } from '../../support/message-of.js';
import type { RedisGeneration } from './redis-generation.js';

/** A server of the wanted generation is unavailable here, although others may be available. Tests that need it are skipped. */
export class RedisGenerationUnavailableError extends Error {
  override readonly name = 'RedisGenerationUnavailableError';

  constructor(
    readonly generation: RedisGeneration,
    cause: unknown,
  ) {
    super(`no Redis of generation ${generation} can be had here: ${messageOf(cause)}`, { cause });
  }
}

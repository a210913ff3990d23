import type { RedisGeneration } from './redis-generation.js';

/** A server of the wanted generation cannot be had here, whereas others may: tests skip what needs it. */
export class RedisGenerationUnavailableError extends Error {
  override readonly name = 'RedisGenerationUnavailableError';

  constructor(
    readonly generation: RedisGeneration,
    cause: unknown,
  ) {
    super(
      `no Redis of generation ${generation} can be had here: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

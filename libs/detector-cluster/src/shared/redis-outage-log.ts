import type { Logger } from '@nestjs/common';
import { toError } from '@detector-cluster/election/internal';
import { toStoreError } from '@detector-cluster/election/internal/redis';

/** After so long without a failure, the next one belongs to another outage. Milliseconds. */
const QUIET = 30_000;

/** Logs once per outage, and not once per connection and attempt, that Redis is unavailable or refuses. */
export class RedisOutageLog {
  /** Of the present outage. Monotonic milliseconds. */
  private lastFailure = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly logger: Pick<Logger, 'debug' | 'log' | 'warn'>,
    private readonly now = () => performance.now(),
  ) {}

  failed(error: Error): void {
    const now = this.now();
    const isNew = now - this.lastFailure >= QUIET;
    this.lastFailure = now;
    if (!isNew) return this.logger.debug(`Redis: ${error.message}`);
    const { message } = toError(toStoreError(error));
    this.logger.warn(`Redis cannot be used (${message}); trying again until it can`);
  }

  /** There is a new connection. */
  connected(): void {
    if (this.lastFailure !== Number.NEGATIVE_INFINITY) this.logger.log('Redis answers again');
    this.lastFailure = Number.NEGATIVE_INFINITY;
  }
}

import { toStoreError } from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT, StoreUnreachableError } from '@detector-cluster/election/redis';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DependencyMonitor } from '../health/dependency-monitor.js';
import { SharedRedis } from './shared-redis.js';

/** Whether Redis answers. Logs each outage and its end. */
@Injectable()
export class RedisHealth extends DependencyMonitor implements BeforeApplicationShutdown {
  constructor(redis: SharedRedis) {
    super('Redis', () => ping(redis));
  }

  /** Stops before the connection is closed. */
  beforeApplicationShutdown(): void {
    this.stop();
  }
}

async function ping({ commands }: SharedRedis): Promise<void> {
  try {
    await boundedCall(commands, COMMAND_TIMEOUT, () => commands.ping());
  } catch (error) {
    throw error instanceof StoreUnreachableError ? toStoreError(error.cause ?? error) : error;
  }
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { redisUrl } from './config.js';

/** Counts in Redis how often each tick has run on any replica, which would show a second run. */
@Injectable()
export class RunCounter implements OnApplicationShutdown {
  private readonly redis = new Redis(redisUrl);

  /** How often the tick has run by now, this time included. */
  count(scheduledAt: number): Promise<number> {
    return this.redis.hincrby('sample-001:runs', String(scheduledAt), 1);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { redisUrl } from './config.js';

/** Counts in Redis how often each tick has run on any replica, to show a second run. */
@Injectable()
export class RunCounter implements OnApplicationShutdown {
  private readonly redis = new Redis(redisUrl);

  /** Returns how often the tick has run, including this run. */
  count(scheduledAt: number): Promise<number> {
    return this.redis.hincrby('sample-001:runs', String(scheduledAt), 1);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

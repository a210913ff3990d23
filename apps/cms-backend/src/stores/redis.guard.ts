import { describeUnavailable } from '@detector-cluster/election/internal/redis';
import { Injectable, type CanActivate } from '@nestjs/common';
import { problems } from '../http/problems.js';
import { RedisHealth } from './redis-health.js';

/** For handlers that read Redis: while it is unavailable, answers 503 with the reason instead of an empty or stale answer. */
@Injectable()
export class RedisGuard implements CanActivate {
  constructor(private readonly redis: RedisHealth) {}

  async canActivate(): Promise<boolean> {
    const failure = await this.redis.check();
    if (failure === null) return true;
    throw problems.unavailable({ service: 'redis', detail: describeUnavailable(failure) }, failure);
  }
}

import { describeUnavailable } from '@detector-cluster/election/internal/redis';
import { boundedCall, COMMAND_TIMEOUT, StoreUnreachableError } from '@detector-cluster/election/redis';
import { type BeforeApplicationShutdown, type CanActivate, Global, Injectable, Module } from '@nestjs/common';
import { DependencyMonitor } from '../health/dependency-monitor.js';
import { problems } from '../http/problem/problems.js';
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
    throw error instanceof StoreUnreachableError ? (error.cause ?? error) : error;
  }
}

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

@Global()
@Module({ providers: [RedisHealth, SharedRedis], exports: [RedisHealth, SharedRedis] })
export class RedisModule {}

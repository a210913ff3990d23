import { boundedCall, COMMAND_TIMEOUT, StoreUnreachableError } from '@detector-cluster/election/redis';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DependencyMonitor, type DependencyStatus } from '../health/dependency-monitor.js';
import { SharedRedis } from './shared-redis.js';

/** Whether Redis answers; logs when it stops and starts doing so. */
@Injectable()
export class RedisHealth implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly monitor = new DependencyMonitor('Redis', () => this.ping());

  constructor(private readonly redis: SharedRedis) {}

  onApplicationBootstrap(): void {
    this.monitor.start();
  }

  /** Before the connection is closed. */
  beforeApplicationShutdown(): void {
    this.monitor.stop();
  }

  /** As it was last looked at; asks nobody. */
  get status(): DependencyStatus {
    return this.monitor.status;
  }

  /** Null when it answers, else why not. */
  check(): Promise<Error | null> {
    return this.monitor.check();
  }

  private async ping(): Promise<void> {
    const { commands } = this.redis;
    try {
      await boundedCall(commands, COMMAND_TIMEOUT, () => commands.ping());
    } catch (error) {
      throw error instanceof StoreUnreachableError ? (error.cause ?? error) : error;
    }
  }
}

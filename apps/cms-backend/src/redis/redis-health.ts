import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DependencyMonitor, type DependencyStatus } from '../health/dependency-monitor.js';
import { openRedisClient } from './redis-client.js';

/** Whether Redis answers; logs when it stops and starts doing so. */
@Injectable()
export class RedisHealth implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly monitor: DependencyMonitor;
  private lastError: Error | null = null;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.redis = openRedisClient(config.redis);
    this.redis.on('error', (error: Error) => {
      this.lastError = error;
    });
    this.monitor = new DependencyMonitor('Redis', () => this.ping());
  }

  onApplicationBootstrap(): void {
    this.monitor.start();
  }

  onApplicationShutdown(): void {
    this.monitor.stop();
    this.redis.disconnect();
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
    if (this.redis.status === 'connecting' || this.redis.status === 'connect') await this.connected();
    // While there is no connection, why it failed says more than "no connection".
    if (this.redis.status !== 'ready') throw this.lastError ?? new Error('not connected');
    await this.redis.ping();
  }

  /** Waits for an attempt that is under way; it ends within the connection timeout. */
  private connected(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.redis.off('ready', done).off('close', done);
        resolve();
      };
      this.redis.on('ready', done).on('close', done);
    });
  }
}

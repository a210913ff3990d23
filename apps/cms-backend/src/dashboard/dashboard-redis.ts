import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { openRedisClient } from '../redis/redis-client.js';

/** The dashboard's own connection: a page that is shown much must not hold up the cluster's work. */
@Injectable()
export class DashboardRedis implements OnApplicationShutdown {
  readonly connection: Redis;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.connection = openRedisClient(config.redis);
  }

  onApplicationShutdown(): void {
    this.connection.disconnect();
  }
}

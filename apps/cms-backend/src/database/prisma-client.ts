import { SubscriptionTrigger } from '@detector-cluster/detector-cluster/prisma';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { PrismaClient } from '../generated/prisma/client.js';
import { redisSource } from '../redis/shared-redis.js';

/** Injection token of the Prisma client that triggers a regeneration of subscriptions after each committed write. */
export const PRISMA = Symbol('PRISMA');

/** Injection token of the {@link Database} below it. */
export const DATABASE = Symbol('DATABASE');

export interface Database {
  readonly pool: pg.Pool;
  /** Undefined: `public`. */
  readonly schema?: string | undefined;
}

/** It does not connect before its first query. */
export function createPrismaClient({ pool, schema }: Database): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg(pool, { schema }),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 2_000, timeout: 5_000 },
  });
}

/**
 * Notifies the master that the database has changed. It lives as long as the Prisma client that uses it; the detector cluster
 * lends it a connection.
 */
@Injectable()
export class RegenerationTrigger extends SubscriptionTrigger implements OnApplicationShutdown {
  constructor(@Inject(APP_CONFIG) { redis, cluster }: AppConfig) {
    super({ redis: redisSource(redis), keyPrefix: cluster.keyPrefix });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}

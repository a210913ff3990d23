import { subscriptionTriggers } from '@detector-cluster/detector-cluster/prisma';
import { Global, Module } from '@nestjs/common';
import type pg from 'pg';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { createPool } from './connection-pool.js';
import { DatabaseHealth } from './database-health.js';
import { createPrismaClient, DATABASE_POOL, PRISMA } from './prisma-client.js';
import { RegenerationTrigger } from './regeneration-trigger.js';

@Global()
@Module({
  providers: [
    {
      provide: DATABASE_POOL,
      inject: [APP_CONFIG],
      useFactory: (config: AppConfig) => createPool(config.databaseUrl),
    },
    RegenerationTrigger,
    {
      provide: PRISMA,
      inject: [DATABASE_POOL, RegenerationTrigger],
      useFactory: (pool: pg.Pool, trigger: RegenerationTrigger) =>
        subscriptionTriggers({ trigger })(createPrismaClient(pool)),
    },
    DatabaseHealth,
  ],
  exports: [PRISMA, RegenerationTrigger, DatabaseHealth],
})
export class DatabaseModule {}

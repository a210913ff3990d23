import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.js';

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

import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.js';

/** Injection token of the Prisma client that triggers a regeneration of subscriptions after each committed write. */
export const PRISMA = Symbol('PRISMA');

/** Injection token of the connection pool below it. */
export const DATABASE_POOL = Symbol('DATABASE_POOL');

/** A Prisma client on the given pool. It does not connect before its first query. */
export function createPrismaClient(pool: pg.Pool): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: 2_000, timeout: 5_000 },
  });
}

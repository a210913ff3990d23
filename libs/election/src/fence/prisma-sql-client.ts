import type { SqlClient } from './sql-client.js';

/** The client of an interactive transaction of Prisma, as far as it is needed. */
export interface PrismaTransaction {
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<unknown>;
}

/** A transaction of Prisma for a fence: `prisma.$transaction(async (tx) => { await fence.guard(prismaSqlClient(tx), term); … })`. */
export function prismaSqlClient(tx: PrismaTransaction): SqlClient {
  return {
    query: async (text, params) => ({ rows: (await tx.$queryRawUnsafe(text, ...params)) as unknown[] }),
  };
}

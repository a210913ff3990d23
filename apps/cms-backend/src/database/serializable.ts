import { Prisma, type PrismaClient } from '../generated/prisma/client.js';

/** A transaction that loses against others this often fails. */
const ATTEMPTS = 5;

/** A thousand entries take a second or two. Milliseconds. */
const TIMEOUT = 20_000;

/**
 * Runs `work` as if no other transaction ran at the same time. It may run several times: what it has read has then been changed
 * by another transaction.
 */
export async function serializable<T>(
  prisma: PrismaClient,
  work: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await prisma.$transaction(work, { isolationLevel: 'Serializable', timeout: TIMEOUT });
    } catch (error) {
      if (attempt === ATTEMPTS || !hasLost(error)) throw error;
    }
}

function hasLost(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2034';
}

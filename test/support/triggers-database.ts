import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../apps/cms-backend/src/generated/prisma/client.js';
import { createTestDatabase } from './create-test-database.js';

/** A migrated database with a Prisma client, for tests of the Prisma extension. */
export interface TriggersDatabase {
  readonly url: string;
  /** Without any extension. */
  readonly plain: PrismaClient;
  /** A connection of its own: what it sees is committed. */
  readonly observer: pg.Client;
  camerasSeen(): Promise<number>;
  close(): Promise<void>;
}

export async function openTriggersDatabase(): Promise<TriggersDatabase> {
  const { url, drop } = await createTestDatabase();
  const observer = new pg.Client({ connectionString: url });
  observer.on('error', () => undefined);
  await observer.connect();
  const plain = prismaClient(url);
  return {
    url,
    plain,
    observer,
    camerasSeen: async () => Number((await observer.query('select count(*) from "Camera"')).rows[0].count),
    close: async () => {
      await plain.$disconnect();
      await observer.end();
      await drop();
    },
  };
}

export const prismaClient = (connectionString: string): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg({ connectionString, max: 30 }),
    transactionOptions: { maxWait: 20_000, timeout: 20_000 },
  });

let next = 0;
export const unique = (prefix: string): string => `${prefix}-${(next += 1)}`;
export const newCamera = () => ({ cameraIdentifier: unique('cam'), rtspUrl: 'rtsp://h/1' });

/** Resolves once everything has been published whose outcome is known: publishing takes one turn of the event loop. */
export async function allPublished(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** With what Prisma passes without documenting it, and without. */
export const TRIGGER_MODES = [
  ['with the transaction ids of Prisma', true],
  ['by asynchronous context alone', false],
] as const;

import type { DesiredState } from './desired-state-source.js';

/** The part of a Prisma transaction that reads the position. */
export interface PositionReader {
  $queryRawUnsafe?(query: string): PromiseLike<unknown>;
}

/** A standby does not answer what is asked of a primary. */
const POSITION = `
  SELECT system_identifier::text AS system,
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_walfile_name(pg_current_wal_flush_lsn()) END AS file,
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_current_wal_flush_lsn()::text END AS lsn
  FROM pg_control_system()`;

interface PositionRow {
  readonly system: string;
  /** The name of a file of the write-ahead log, which begins with the timeline. */
  readonly file: string | null;
  readonly lsn: string | null;
}

/** Where the database is at the snapshot of this transaction; undefined: the client cannot ask. */
export async function readPosition(reader: PositionReader): Promise<DesiredState['position']> {
  if (reader.$queryRawUnsafe === undefined) return undefined;
  const [row] = (await reader.$queryRawUnsafe(POSITION)) as readonly PositionRow[];
  const { file, lsn, system } = row!;
  if (file === null || lsn === null) return 'standby';
  return { system, timeline: Number.parseInt(file.slice(0, 8), 16), lsn };
}

/** Classes of SQLSTATE: the connection, the transaction, resources, an operator, the system. */
const TROUBLE = /^(?:08|25|40|53|57|58)...$/;

/**
 * Whether the database has refused the statement itself: it is not PostgreSQL, or hides these functions from this user. It is not asked
 * again then.
 */
export function isPositionHidden(error: unknown): boolean {
  const { code, meta } = error as { code?: unknown; meta?: PrismaErrorMeta };
  const state = meta?.driverAdapterError?.cause?.originalCode ?? meta?.code;
  return code === 'P2010' && typeof state === 'string' && !TROUBLE.test(state);
}

/** Prisma 7 has the code of the database in the first place, Prisma 6 in the second. */
interface PrismaErrorMeta {
  readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } };
  readonly code?: unknown;
}

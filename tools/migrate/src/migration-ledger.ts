import { createHash, randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The checksum of a script in Prisma's ledger: SHA-256 in hexadecimal. */
const checksum = sha256;

/**
 * Whether a script matches a checksum. As with Prisma, line endings do not count, because Git changes them between systems.
 */
export function matchesChecksum(script: string, recorded: string): boolean {
  const unix = script.replaceAll('\r\n', '\n');
  return [script, unix, unix.replaceAll('\n', '\r\n')].some((text) => sha256(text) === recorded);
}

/** One row of Prisma's ledger. */
export interface LedgerEntry {
  name: string;
  checksum: string;
  startedAt: Date;
  /** `null`: the migration is running, or it failed. */
  finishedAt: Date | null;
  /** Set when an operator has declared a failed migration undone; then it may be applied again. */
  rolledBackAt: Date | null;
  /** The error of a failed migration. */
  logs: string | null;
}

/** The lock of Prisma's own engine, so that it and this program exclude each other. */
const ADVISORY_LOCK = 72_707_369;

/** Prisma's table `_prisma_migrations`, with its columns and their meaning. */
export class MigrationLedger {
  constructor(private readonly client: ClientBase) {}

  /** Excludes every other runner until the connection ends. Rejects after `timeout` milliseconds. */
  async lock(timeout: number): Promise<void> {
    await this.client.query(`SET lock_timeout = ${Math.max(1, Math.trunc(timeout))}`);
    await this.client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await this.client.query('RESET lock_timeout');
  }

  async create(): Promise<void> {
    await this.client.query(`CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                  VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum            VARCHAR(64) NOT NULL,
      finished_at         TIMESTAMPTZ,
      migration_name      VARCHAR(255) NOT NULL,
      logs                TEXT,
      rolled_back_at      TIMESTAMPTZ,
      started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0
    )`);
  }

  async entries(): Promise<LedgerEntry[]> {
    const { rows } = await this.client.query<LedgerEntry>(
      `SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at AS "finishedAt",
              rolled_back_at AS "rolledBackAt", logs
       FROM _prisma_migrations ORDER BY started_at`,
    );
    return rows;
  }

  /** Opens an entry and returns its id. */
  async started(name: string, sql: string): Promise<string> {
    const id = randomUUID();
    await this.client.query(
      'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)',
      [id, checksum(sql), name],
    );
    return id;
  }

  async finished(id: string): Promise<void> {
    await this.client.query(
      'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = applied_steps_count + 1 WHERE id = $1',
      [id],
    );
  }

  async failed(id: string, error: string): Promise<void> {
    await this.client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, error]);
  }

  /** Declares failed attempts of a migration undone; returns how many there were. */
  async rolledBack(name: string): Promise<number> {
    const { rowCount } = await this.client.query(
      `UPDATE _prisma_migrations SET rolled_back_at = now()
       WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
      [name],
    );
    return rowCount ?? 0;
  }
}

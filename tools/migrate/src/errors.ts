import type { LedgerEntry } from './migration-ledger.js';

/** The script of an applied migration has changed since. Nothing has been applied. */
export class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';

  constructor(readonly migrations: readonly string[]) {
    super(
      `changed after it was applied: ${migrations.join(', ')}. ` +
        'Put the script back as it was and add a new migration for the change.',
    );
  }
}

/** A migration failed and was rolled back; its entry in the ledger holds the error. Later ones were not tried. */
export class MigrationFailedError extends Error {
  override readonly name = 'MigrationFailedError';

  constructor(
    readonly migration: string,
    cause: unknown,
  ) {
    super(`migration ${migration} failed: ${describeDatabaseError(cause)}`, { cause });
  }
}

/** Message of a database error with its SQLSTATE and hints: `relation "x" does not exist (42P01)`. */
export function describeDatabaseError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, detail, hint } = error as Error & { code?: string; detail?: string; hint?: string };
  return [code ? `${error.message} (${code})` : error.message, detail, hint].filter(Boolean).join('. ');
}

/** An earlier run left migrations unfinished. Nothing is applied until an operator has resolved them. */
export class UnresolvedMigrationError extends Error {
  override readonly name = 'UnresolvedMigrationError';

  constructor(readonly entries: readonly LedgerEntry[]) {
    super(
      entries
        .map(
          ({ name, startedAt, logs }) =>
            `migration ${name}, started ${startedAt.toISOString()}, did not finish${logs ? `: ${logs}` : ''}. ` +
            `Once its changes are undone: "npm run migrate -- rolled-back ${name}", then try again.`,
        )
        .join('\n'),
    );
  }
}

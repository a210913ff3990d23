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

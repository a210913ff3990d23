/** The script of a migration that was applied is not the one that was applied. Nothing has been done. */
export class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';

  constructor(readonly migrations: readonly string[]) {
    super(
      `changed after it was applied: ${migrations.join(', ')}. ` +
        'Put the script back as it was and add a new migration for the change.',
    );
  }
}

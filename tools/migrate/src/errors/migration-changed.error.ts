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

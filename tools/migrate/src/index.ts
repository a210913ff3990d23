export { applyMigrations, markRolledBack } from './apply-migrations.js';
export type { AppliedMigrations, ApplyMigrationsOptions } from './apply-migrations.js';
export { MigrationChangedError } from './errors/migration-changed.error.js';
export { MigrationFailedError } from './errors/migration-failed.error.js';
export { UnresolvedMigrationError } from './errors/unresolved-migration.error.js';
export { MIGRATIONS_DIRECTORY } from './migrations-directory.js';
export { seedDemo } from './seed/seed-demo.js';
export type { SeedResult } from './seed/seed-demo.js';

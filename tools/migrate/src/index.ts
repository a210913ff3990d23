export { applyMigrations, markRolledBack } from './apply-migrations.js';
export type { AppliedMigrations, ApplyMigrationsOptions } from './apply-migrations.js';
export { MigrationChangedError } from './errors.js';
export { MigrationFailedError } from './errors.js';
export { UnresolvedMigrationError } from './errors.js';
export { MIGRATIONS_DIRECTORY } from './read-migrations.js';
export { seedDemo } from './seed/seed-demo.js';
export type { SeedResult } from './seed/seed-demo.js';

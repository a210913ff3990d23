export { applyMigrations, MIGRATIONS_DIRECTORY } from './apply-migrations.js';
export { seedDemo } from './seed-demo.js';

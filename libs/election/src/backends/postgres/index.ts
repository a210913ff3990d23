/**
 * Elections over a row of PostgreSQL.
 *
 * @example
 * ```ts
 * import { PostgresElectionBackend } from '@detector-cluster/election/postgres';
 *
 * const backend = new PostgresElectionBackend({ postgres: 'postgresql://db/app', lockName: 'reports' });
 * ```
 * @packageDocumentation
 */
export { electionTableSql } from './postgres-lease-store.js';
export { PostgresElectionBackend } from './postgres-election-backend.js';
export { PostgresElectionControl } from './postgres-election-control.js';
export type { PostgresElectionOptions } from './postgres-election-options.js';
export { type PostgresAddress, type PostgresSource, PostgresError } from './postgres-connection.js';

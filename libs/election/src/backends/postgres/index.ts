export { electionTableSql } from './election-table-sql.js';
export { PostgresElectionBackend } from './postgres-election-backend.js';
export type { PostgresElectionOptions } from './postgres-election-options.js';
export type { PostgresAddress, PostgresSource } from './store/postgres-connection.js';
export { PostgresError } from './store/postgres.error.js';
export { PostgresElectionControl } from './postgres-election-control.js';

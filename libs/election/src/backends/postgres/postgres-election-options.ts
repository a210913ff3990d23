import { quoteTable } from '../../fence/sql-fence.js';
import { systemClock, type Clock } from '../../util/clock.js';
import { electionTimingProblems } from '../../util/duration-problems.js';
import { ELECTION_TABLE } from './postgres-lease-store.js';
import { PostgresUrlError } from '../../util/read-postgres-url.js';
import { type PostgresSource, readSource } from './postgres-connection.js';

export interface PostgresElectionOptions {
  /** The database. The backend opens one connection, which listens; through a pooler it reads the row instead. */
  readonly postgres: PostgresSource;
  /** Candidates with the same name compete. Default `master-election`. */
  readonly lockName?: string;
  /** Table of the elections, with its schema where needed: `app.election`. Default `election`, in the schema of the URL. */
  readonly table?: string;
  /** A leader that does not renew for this long loses its lease. Milliseconds, default 10,000. */
  readonly lockTtl?: number;
  /** How often the leader renews. Milliseconds. Default: a third of `lockTtl`. */
  readonly heartbeatInterval?: number;
  /** How often a follower reads the row, in addition to the news. Milliseconds. Default: half of `lockTtl`. */
  readonly checkInterval?: number;
  readonly clock?: Clock;
  /** Jitter, in [0, 1). */
  readonly random?: () => number;
}

export interface ResolvedPostgresElectionOptions extends Required<PostgresElectionOptions> {
  /** No single statement takes longer, so that several fit into a lease. Milliseconds. */
  readonly commandTimeout: number;
}

/** Upper limit for a statement, whatever the lease. Milliseconds. */
const MAX_STATEMENT = 3_000;

/** Fills in the defaults and checks everything; throws a `RangeError` that names all that is wrong. */
export function resolvePostgresElectionOptions(
  options: PostgresElectionOptions,
): ResolvedPostgresElectionOptions {
  const { postgres, lockName = 'master-election', lockTtl = 10_000 } = options;
  const { heartbeatInterval = Math.floor(lockTtl / 3), checkInterval = Math.floor(lockTtl / 2) } = options;
  const { clock = systemClock, random = Math.random } = options;
  const timing = { lockTtl, heartbeatInterval, checkInterval };
  const problems = electionTimingProblems(timing, Infinity);
  if (lockName === '') problems.push('lockName must not be empty');
  let { table = ELECTION_TABLE } = options;
  try {
    table = electionTable(postgres, table);
    quoteTable(table);
  } catch (error) {
    problems.push(
      ...(error instanceof PostgresUrlError
        ? error.problems.map((problem) => `postgres: ${problem}`)
        : [(error as Error).message]),
    );
  }
  if (problems.length > 0) throw new RangeError(problems.join('; '));
  const commandTimeout = Math.min(MAX_STATEMENT, Math.ceil(lockTtl / 4));
  return { postgres, lockName, table, ...timing, clock, random, commandTimeout };
}

/** The table with its schema, which the URL may name. */
export function electionTable(postgres: PostgresSource, table = ELECTION_TABLE): string {
  const { schema } = readSource(postgres);
  return schema === undefined || table.includes('.') ? table : `${schema}.${table}`;
}

import { unknownOptions, postgresUrlProblems, readPostgresUrl } from '@detector-cluster/election/internal';
import type { ConnectionOptions } from 'node:tls';
import { WATCHED_COLUMNS } from '../changed-rows.js';
import { InvalidInputError } from '@detector-cluster/placement/internal';

/** Where the master listens to the database. `installChangeFeed` installs the triggers separately. */
export interface ChangeFeedOptions extends ChangeFeedSettings {
  /** Direct address of the primary: no pooler, because it shares the session that listens, and no standby. */
  readonly connectionString: string;
  /** The option `ssl` of `pg`. Default: as in the address. */
  readonly ssl?: boolean | ConnectionOptions;
  /** How often the connection and the triggers are checked. Default 5,000 ms. */
  readonly probeInterval?: number;
  /** Timeout of the connection and of any answer. Default 5,000 ms. */
  readonly timeout?: number;
}

const KNOWN: readonly (keyof ChangeFeedOptions)[] = [
  'connectionString',
  'ssl',
  'probeInterval',
  'timeout',
  'schema',
  'name',
  'tables',
];

/** The problems of the option `changeFeed`; each begins with the name of the field. Free of credentials. */
export function changeFeedProblems(raw: ChangeFeedOptions): string[] {
  if (typeof raw !== 'object' || raw === null)
    return ['changeFeed: must be an object such as { connectionString: process.env.DATABASE_URL }'];
  const problems = unknownOptions(raw, KNOWN, { path: 'changeFeed.', separator: ': ' });
  const { connectionString: url } = raw;
  if (typeof url !== 'string' || url === '')
    problems.push('changeFeed.connectionString: is required, e.g. postgres://user@host/database');
  else problems.push(...addressProblems(url, raw.schema));
  for (const name of ['probeInterval', 'timeout'] as const) {
    const value = raw[name];
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      problems.push(`changeFeed.${name}: must be a number of milliseconds above 0, got ${String(value)}`);
  }
  try {
    changeFeedSettings(raw);
  } catch (error) {
    problems.push((error as Error).message);
  }
  return problems;
}

function addressProblems(url: string, given: string | undefined): string[] {
  const unreadable = postgresUrlProblems(url);
  if (unreadable.length > 0) return unreadable.map((problem) => `changeFeed.connectionString: ${problem}`);
  const { schema, pooler } = readPostgresUrl(url);
  return [
    ...(pooler
      ? ['changeFeed.connectionString: has pgbouncer=true; give the direct address of the primary']
      : []),
    ...(given !== undefined && schema !== undefined && given !== schema
      ? ['changeFeed.schema: differs from the schema of connectionString; leave it out']
      : []),
  ];
}

/** The settings of a listener: the URL may name the schema. */
export function listenerSettings(options: ChangeFeedOptions): Required<ChangeFeedSettings> {
  const { schema } = readPostgresUrl(options.connectionString);
  return changeFeedSettings({ ...(schema !== undefined && { schema }), ...options });
}

/** Tables and the columns whose updates are announced; `'all'`: any. Inserts and deletes are announced for each table. */
export type WatchedTables = Readonly<Record<string, readonly string[] | 'all'>>;

/** Settings on which the SQL of a change feed and its listener must agree. */
export interface ChangeFeedSettings {
  /** The schema of the tables. Default: that of `connectionString` where there is one, else `public`. */
  readonly schema?: string;
  /** Name of the function, the triggers and the channel, at most 48 characters. Default `detector_cluster_changed`. */
  readonly name?: string;
  /** Default: the tables and columns that determine the desired state, with the names of the reference schema. */
  readonly tables?: WatchedTables;
}

export const DEFAULT_TABLES: WatchedTables = WATCHED_COLUMNS;

/** PostgreSQL silently truncates longer names. Bytes. */
const MAX_NAME = 63;
/** Room for the suffix of a trigger. */
const MAX_FEED_NAME = 48;

/** Fills in the defaults. Throws an `InvalidInputError` that names the setting. */
export function changeFeedSettings(raw: ChangeFeedSettings = {}): Required<ChangeFeedSettings> {
  const { schema = 'public', name = 'detector_cluster_changed', tables = DEFAULT_TABLES } = raw;
  checkName('changeFeed.schema', schema, MAX_NAME);
  checkName('changeFeed.name', name, MAX_FEED_NAME);
  if (Object.keys(tables).length === 0)
    throw new InvalidInputError('changeFeed.tables', 'must name a table; leave it out for the default');
  for (const [table, columns] of Object.entries(tables)) {
    const field = `changeFeed.tables.${table}`;
    checkName(field, table, MAX_NAME);
    if (columns === 'all') continue;
    if (!Array.isArray(columns) || columns.length === 0)
      throw new InvalidInputError(field, 'must be "all" or a list of columns');
    for (const column of columns) checkName(field, column, MAX_NAME);
  }
  return { schema, name, tables };
}

function checkName(field: string, value: unknown, longest: number): void {
  if (typeof value !== 'string' || value === '' || Buffer.byteLength(value) > longest)
    throw new InvalidInputError(
      field,
      `must be a name of 1 to ${longest} bytes, got ${JSON.stringify(value)}`,
    );
  // "$" would end the quoted body of the function that contains the name.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f$]/.test(value))
    throw new InvalidInputError(field, 'must not contain "$" or control characters');
}

import type { ConnectionOptions } from 'node:tls';
import { beginSession, type SessionClient } from './pooler.js';
import { nearest } from './nearest-name.js';
import { type SettingsDraft, tlsOptions } from './settings-draft.js';
import { URL_PARAMETERS } from './url-parameters.js';

/** Options of a `pg.Client`. */
export interface PostgresClientOptions {
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | ConnectionOptions;
  readonly application_name?: string;
  readonly connectionTimeoutMillis?: number;
  readonly query_timeout?: number;
}

/** Options of a `pg.Pool`, and of `PrismaPg`. */
export interface PostgresPoolOptions extends PostgresClientOptions {
  readonly max?: number;
  /** Gives each new session its settings. `pg` has it since version 8.20. */
  readonly onConnect: (client: SessionClient) => Promise<void>;
}

/** What a URL says. */
export interface PostgresUrl {
  /** The parameter `schema`, for the option of `PrismaPg`. Undefined: there is none, and Prisma uses `public`. */
  readonly schema: string | undefined;
  /** Whether the URL says that it leads to a pooler (`pgbouncer=true`). */
  readonly pooler: boolean;
  readonly client: PostgresClientOptions;
  readonly pool: PostgresPoolOptions;
  /** Prepares the session of a connected `pg.Client`; pools do it by themselves. */
  readonly begin: (client: SessionClient) => Promise<void>;
}

/** Values for what a URL does not set. */
export interface PostgresDefaults {
  readonly application_name?: string;
  readonly max?: number;
  /** Milliseconds, as the others. */
  readonly connectionTimeoutMillis?: number;
  readonly query_timeout?: number;
  readonly idleTimeoutMillis?: number;
  readonly keepAlive?: boolean;
  /** Settings of the session; through a pooler they are left out. */
  readonly session?: Readonly<Record<string, string>>;
}

/** The URL of a database cannot be used. No problem contains a part of the URL other than the name of a parameter. */
export class PostgresUrlError extends Error {
  override readonly name = 'PostgresUrlError';

  constructor(readonly problems: readonly string[]) {
    super(`the URL of the database cannot be used: ${problems.join('; ')}`);
  }
}

/**
 * Reads the URL of a PostgreSQL database for `pg` and Prisma. Every known parameter is honoured or refused; see the table in docs/postgres.md.
 * The files that TLS parameters name are read.
 *
 * @throws PostgresUrlError with all problems
 */
export function readPostgresUrl(url: string, defaults: PostgresDefaults = {}): PostgresUrl {
  const { session: sessionDefaults = {}, max, idleTimeoutMillis, ...clientDefaults } = defaults;
  const problems: string[] = [];
  const draft = readAll(url, problems);
  const ssl = tlsOptions(draft.tls, problems);
  if (problems.length > 0) throw new PostgresUrlError(problems);
  const { schema, pooler } = draft;
  const client = {
    ...clientDefaults,
    ...draft.client,
    ...(ssl !== undefined && { ssl }),
  } as unknown as PostgresClientOptions;
  const settings = {
    ...sessionDefaults,
    ...draft.session,
    ...(schema !== null && { search_path: `"${schema.replaceAll('"', '""')}"` }),
  };
  const begin = (connected: SessionClient) => beginSession(connected, settings, Object.keys(draft.session));
  const limits = {
    ...(max !== undefined && { max }),
    ...(idleTimeoutMillis !== undefined && { idleTimeoutMillis }),
  };
  return {
    schema: schema ?? undefined,
    pooler,
    client,
    pool: { ...limits, ...draft.pool, ...client, onConnect: begin },
    begin,
  };
}

/** The problems of a URL; empty if it can be used. */
export function postgresUrlProblems(url: string): readonly string[] {
  try {
    readPostgresUrl(url);
    return [];
  } catch (error) {
    if (error instanceof PostgresUrlError) return error.problems;
    throw error;
  }
}

/** The schema of the tables. @throws PostgresUrlError */
export const schemaOf = (url: string): string => readPostgresUrl(url).schema ?? 'public';

const PROTOCOL = /^postgres(?:ql)?:\/\//;

function readAll(text: string, problems: string[]): SettingsDraft {
  const draft: SettingsDraft = { client: {}, pool: {}, session: {}, tls: {}, schema: null, pooler: false };
  if (typeof text !== 'string' || !PROTOCOL.test(text) || !URL.canParse(text)) {
    problems.push(
      'must be a URL that starts with postgresql:// or postgres:// and names one host; write special characters of a password as %XX',
    );
    return draft;
  }
  const url = new URL(text);
  // The rest of a password would count as a parameter, and its name would be shown.
  if (url.hash !== '' || /@/.test(url.search) || url.pathname.includes('@')) {
    problems.push(
      'must not contain "#", "?", "/" or "@" in the password: write them as %23, %3F, %2F and %40',
    );
    return draft;
  }
  readAddress(url, draft, problems);
  const seen: string[] = [];
  for (const [name, value] of url.searchParams) {
    const count = seen.push(name);
    if (!Object.hasOwn(URL_PARAMETERS, name)) problems.push(unknownParameter(name, count));
    else if (seen.indexOf(name) !== count - 1) problems.push(`${name}: is given twice`);
    else readParameter(name, value, draft, problems);
  }
  return draft;
}

function readAddress(url: URL, { client }: SettingsDraft, problems: string[]): void {
  try {
    const [host, user, password] = [url.hostname, url.username, url.password].map(decodeURIComponent);
    const database = decodeURIComponent(url.pathname.slice(1));
    if (host !== '') client.host = host!.replace(/^\[(.+)\]$/, '$1');
    else if (!url.searchParams.has('host')) problems.push('must name a host');
    if (url.port !== '') client.port = Number(url.port);
    if (user !== '') client.user = user;
    if (password !== '') client.password = password;
    if (database !== '') client.database = database;
  } catch {
    problems.push('must write "%" as %25');
  }
}

function readParameter(name: string, value: string, draft: SettingsDraft, problems: string[]): void {
  const parameter = URL_PARAMETERS[name]!;
  const problem =
    'honour' in parameter ? parameter.honour(value, draft) : `is not supported; ${parameter.remedy}`;
  if (problem !== undefined) problems.push(`${name}: ${problem}`);
}

/** A text that resembles no parameter may be a part of a password, so it is not shown. */
function unknownParameter(name: string, position: number): string {
  const names = Object.keys(URL_PARAMETERS);
  const similar = nearest(name, names);
  if (similar !== null) return `${name}: is not known; did you mean ${similar}?`;
  const honoured = names.filter((known) => 'honour' in URL_PARAMETERS[known]!);
  return `parameter ${position} is not known; remove it, or use one of ${honoured.join(', ')}`;
}

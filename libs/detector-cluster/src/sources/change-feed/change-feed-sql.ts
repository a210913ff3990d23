import { createHash } from 'node:crypto';
import { rowKeyOf } from '../changed-rows.js';
import { changeFeedSettings, type ChangeFeedSettings, type WatchedTables } from './change-feed-settings.js';

/** SQL of a change feed; each text is one statement, so that it fits into a migration and works with any client. */
export interface ChangeFeedSql {
  /** On which the master listens: one for each schema and name. */
  readonly channel: string;
  /** Installs or updates the change feed; without effect and without a lock if it is up to date. Atomic. */
  readonly install: string;
  /** Removes the function and every trigger. Without effect if there is none. */
  readonly remove: string;
  /** One row: `fingerprint` of the installed feed, or null, and `missing`, the tables without working triggers. */
  readonly inspect: string;
  /** The `fingerprint` from `inspect` after `install` with the same settings. */
  readonly fingerprint: string;
}

const TRIGGERS = [
  ['insert', 'referencing new table as dc_new'],
  ['update', 'referencing old table as dc_old new table as dc_new'],
  ['delete', 'referencing old table as dc_old'],
  ['truncate', ''],
] as const;

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Beyond this many rows of a statement or announcements of a transaction, the feed announces "any row". */
const MAX_NAMED = 100;
/** PostgreSQL takes up to 8,000. Bytes. */
const MAX_PAYLOAD = 7_500;

/** Counts the rows of a query and collects their keys. */
const count = (query: string): string =>
  `select count(*), jsonb_agg(distinct to_jsonb(dc_key)) into differing, keys from (select dc_key from (${query}) as dc_rows limit ${MAX_NAMED + 1}) as dc_keys;`;

/** The rows in which a watched column differs, as a query of `dc_key` and the columns. */
function branch([table, columns]: [string, readonly string[] | 'all']): string {
  const known = rowKeyOf(table);
  // Otherwise the column may be missing. With `'all'` the function announces any row then.
  const hasKey = known !== undefined && (columns === 'all' || columns.includes(known[1]));
  const key = hasKey ? identifier(known[1]) : 'null::text';
  // As text, because not every type can be compared. Rows need no key, because the query compares multisets of values.
  const list = columns === 'all' ? '' : columns.map((column) => `, ${identifier(column)}::text`).join('');
  const rows = (transition: string) => `select ${key} as dc_key${list} from ${transition}`;
  const differing = (from: string, other: string) => `(${rows(from)} except all ${rows(other)})`;
  const updated =
    columns === 'all'
      ? `(${rows('dc_old')} union ${rows('dc_new')})`
      : `${differing('dc_old', 'dc_new')} union all ${differing('dc_new', 'dc_old')}`;
  return `      elsif tg_table_name = ${literal(table)} then
        named := ${hasKey ? literal(known[0]) : 'null'};
        if tg_op = 'INSERT' then ${count(rows('dc_new'))}
        elsif tg_op = 'DELETE' then ${count(rows('dc_old'))}
        else ${count(updated)}
        end if;`;
}

function functionBody(channel: string, tables: WatchedTables): string {
  return `
declare
  differing bigint;
  keys jsonb;
  named text;
  payload text := '';
  announced integer;
begin
  if tg_op <> 'TRUNCATE' then
    begin
      if false then null;
${Object.entries(tables).map(branch).join('\n')}
      end if;
    exception when others then
      -- The column no longer exists. The write must not fail because of that, and may be a change.
      named := null;
      differing := null;
    end;
    if differing = 0 then return null; end if;
  end if;
  if named is not null and differing <= ${MAX_NAMED} then
    announced := coalesce(nullif(current_setting('detector_cluster.announced', true), ''), '0')::integer;
    payload := jsonb_build_object(named, keys)::text;
    if announced >= ${MAX_NAMED} or octet_length(payload) > ${MAX_PAYLOAD} then payload := '';
    else perform set_config('detector_cluster.announced', (announced + 1)::text, true);
    end if;
  end if;
  perform pg_catalog.pg_notify(${literal(channel)}, payload);
  return null;
end `;
}

/** All schemas of a database share the names of channels, which PostgreSQL limits to 63 bytes. */
const channelOf = (schema: string, name: string): string =>
  schema === 'public' ? name : `${name}:${createHash('sha256').update(schema).digest('hex').slice(0, 12)}`;

/** A misspelt column would remain unnoticed, because the function treats an unreadable column as changed. */
const checkColumns = (schema: string, columns: readonly string[]) => `
  select string_agg(format('%I.%I', t, c), ', ') into unknown from (values ${columns.join(', ')}) as watched (t, c)
    where to_regclass(format('%I.%I', ${literal(schema)}, t)) is not null and not exists (select from pg_attribute
      where attrelid = to_regclass(format('%I.%I', ${literal(schema)}, t)) and attname = c and not attisdropped);
  if unknown is not null then
    raise undefined_column using message = 'change feed: there is no column ' || unknown;
  end if;
`;

/**
 * The change feed in SQL, for PostgreSQL 14 or newer: one function and, for each table, statement triggers that compare old and
 * new rows and `NOTIFY` only when a watched column differs. A notification names the rows as `ChangedRows` in JSON, or has an
 * empty payload, which means any row. PostgreSQL sends each notification of a transaction once, on commit; none after a rollback.
 *
 * @throws InvalidInputError that names the setting
 */
export function changeFeedSql(settings: ChangeFeedSettings = {}): ChangeFeedSql {
  const { schema, name, tables } = changeFeedSettings(settings);
  const fn = `${identifier(schema)}.${identifier(name)}()`;
  const channel = channelOf(schema, name);
  const body = functionBody(channel, tables);
  const fingerprint = `detector-cluster ${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
  const triggers = Object.keys(tables).flatMap((table) =>
    TRIGGERS.map(
      ([event, referencing]) =>
        `  create trigger ${identifier(`${name}_${event}`)} after ${event} on ${identifier(schema)}.${identifier(table)} ${referencing} for each statement execute function ${fn};`,
    ),
  );
  const columns = Object.entries(tables).flatMap(([table, watched]) =>
    watched === 'all' ? [] : watched.map((column) => `(${literal(table)}, ${literal(column)})`),
  );
  const inspect = `select (select obj_description(to_regprocedure(${literal(fn)}), 'pg_proc')) as fingerprint,
  array(select t from unnest(array[${Object.keys(tables).map(literal).join(', ')}]) t where (
    select count(*) from pg_trigger where tgrelid = to_regclass(format('%I.%I', ${literal(schema)}, t))
      and tgfoid = to_regprocedure(${literal(fn)}) and tgenabled in ('O', 'A')) <> ${TRIGGERS.length}) as missing`;
  return {
    channel,
    install: `do $dc_install$ declare
  unknown text;
begin
  perform pg_advisory_xact_lock(hashtextextended(${literal(fn)}, 0));
  if (select fingerprint = ${literal(fingerprint)} and missing = '{}' from (${inspect}) as installed) then return; end if;
${columns.length === 0 ? '' : checkColumns(schema, columns)}  drop function if exists ${fn} cascade;
  create function ${fn} returns trigger language plpgsql as $dc_body$${body}$dc_body$;
  comment on function ${fn} is ${literal(fingerprint)};
${triggers.join('\n')}
end $dc_install$`,
    remove: `drop function if exists ${fn} cascade`,
    inspect,
    fingerprint,
  };
}

/** A Prisma client, or a client or pool of `pg`. */
export type SqlClient =
  { $executeRawUnsafe(sql: string): PromiseLike<unknown> } | { query(sql: string): PromiseLike<unknown> };

const execute = (client: SqlClient, sql: string): PromiseLike<unknown> =>
  '$executeRawUnsafe' in client ? client.$executeRawUnsafe(sql) : client.query(sql);

/**
 * Installs or updates the triggers of the change feed; without effect if they are up to date. Meant for deployments and
 * migrations: it locks the tables briefly, and needs the right to create functions and triggers.
 *
 * @throws InvalidInputError that names the setting; the database's error, e.g. for a table or column that does not exist
 */
export async function installChangeFeed(client: SqlClient, settings?: ChangeFeedSettings): Promise<void> {
  await execute(client, changeFeedSql(settings).install);
}

/** Removes the change feed. Without effect if there is none. */
export async function removeChangeFeed(client: SqlClient, settings?: ChangeFeedSettings): Promise<void> {
  await execute(client, changeFeedSql(settings).remove);
}

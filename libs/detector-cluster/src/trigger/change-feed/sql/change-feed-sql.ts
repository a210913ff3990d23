import { createHash } from 'node:crypto';
import { changeFeedSettings, type ChangeFeedSettings, type WatchedTables } from './change-feed-settings.js';

/** SQL of a change feed, each one statement, so that it fits a migration and any client. */
export interface ChangeFeedSql {
  /** Installs or brings up to date; without effect and without a lock where it is up to date. Atomic. */
  readonly install: string;
  /** Removes the function and every trigger. Without effect where there is none. */
  readonly remove: string;
  /** One row: `fingerprint` of what is installed, or null, and `missing`, the tables without working triggers. */
  readonly inspect: string;
  /** What `inspect` says where `install` has run with the same settings. */
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

function updateBranch([table, columns]: [string, readonly string[] | 'all']): string {
  // As text, because not every type can be compared. Rows need no key: what counts is the set of what they say.
  const list = columns === 'all' ? null : columns.map((column) => `${identifier(column)}::text`).join(', ');
  const changed =
    list === null
      ? 'exists (select from dc_new)'
      : `exists (select ${list} from dc_old except all select ${list} from dc_new)`;
  return `      elsif tg_table_name = ${literal(table)} then changed := ${changed};`;
}

function functionBody(name: string, tables: WatchedTables): string {
  return `
declare
  changed boolean := true;
begin
  if tg_op = 'INSERT' then changed := exists (select from dc_new);
  elsif tg_op = 'DELETE' then changed := exists (select from dc_old);
  elsif tg_op = 'UPDATE' then
    begin
      if false then null;
${Object.entries(tables).map(updateBranch).join('\n')}
      end if;
    exception when others then
      -- A column has gone since: a write must not fail for that, and may matter.
      changed := true;
    end;
  end if;
  if changed then perform pg_catalog.pg_notify(${literal(name)}, ''); end if;
  return null;
end `;
}

/** A misspelt column would go unnoticed: the function takes a column that it cannot read for a changed one. */
const checkColumns = (schema: string, columns: readonly string[]) => `
  select string_agg(format('%I.%I', t, c), ', ') into unknown from (values ${columns.join(', ')}) as watched (t, c)
    where to_regclass(format('%I.%I', ${literal(schema)}, t)) is not null and not exists (select from pg_attribute
      where attrelid = to_regclass(format('%I.%I', ${literal(schema)}, t)) and attname = c and not attisdropped);
  if unknown is not null then
    raise undefined_column using message = 'change feed: there is no column ' || unknown;
  end if;
`;

/**
 * The change feed in SQL, for PostgreSQL 14 or newer: one function and, for each table, statement triggers that compare what
 * was with what is, and `NOTIFY` only when a watched column differs. All notifications of a transaction are equal, so it
 * sends one, on commit; none when it is rolled back.
 *
 * @throws InvalidInputError that names the setting
 */
export function changeFeedSql(settings: ChangeFeedSettings = {}): ChangeFeedSql {
  const { schema, name, tables } = changeFeedSettings(settings);
  const fn = `${identifier(schema)}.${identifier(name)}()`;
  const body = functionBody(name, tables);
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

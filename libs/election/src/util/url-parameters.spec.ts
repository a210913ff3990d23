import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { URL_PARAMETERS } from './url-parameters.js';

const require = createRequire(import.meta.url);
const pgFile = (name: string) => join(dirname(require.resolve('pg/package.json')), 'lib', name);
const unlisted = (names: Iterable<string>) =>
  [...names].filter((name) => !Object.hasOwn(URL_PARAMETERS, name));

describe('the table of URL parameters', () => {
  it('lists what the installed pg reads from a URL', () => {
    const Parameters = require(pgFile('connection-parameters.js')) as new (config: object) => unknown;
    const names = new Set<string>();
    const config = new Proxy({} as Record<string, unknown>, {
      get: (_, name) => void names.add(String(name)),
    });
    expect(new Parameters(config)).toBeDefined();
    expect(names).toContain('statement_timeout');
    expect(unlisted(names)).toEqual([]);
  });

  it('lists what the installed pg-connection-string knows', () => {
    const fromPg = createRequire(pgFile('client.js'));
    const source = readFileSync(fromPg.resolve('pg-connection-string'), 'utf8');
    const names = new Set(
      [...source.matchAll(/\bconfig\.(\w+)|searchParams\.get\('(\w+)'\)/g)].map(
        ([, field, name]) => field ?? name!,
      ),
    );
    expect(names).toContain('sslrootcert');
    expect(unlisted(names)).toEqual([]);
  });

  it('lists what the documentation of libpq lists, up to PostgreSQL 18', () => {
    // https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-PARAMKEYWORDS
    const documented =
      `host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout client_encoding
      options application_name fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout
      replication gssencmode sslmode requiressl sslnegotiation sslcompression sslcert sslkey sslkeylogfile sslpassword sslcertmode
      sslrootcert sslcrl sslcrldir sslsni requirepeer ssl_min_protocol_version ssl_max_protocol_version min_protocol_version
      max_protocol_version krbsrvname gsslib gssdelegation scram_client_key scram_server_key service servicefile target_session_attrs
      load_balance_hosts oauth_issuer oauth_client_id oauth_client_secret oauth_scope`.split(/\s+/);
    expect(unlisted(documented)).toEqual([]);
  });

  it('lists what the documentation of Prisma lists for PostgreSQL', () => {
    // https://www.prisma.io/docs/orm/overview/databases/postgresql, "Arguments" and "Configuring an SSL connection", and the pages
    // about its connection pool and PgBouncer.
    const documented =
      `schema connection_limit connect_timeout pool_timeout sslmode sslcert sslrootcert sslidentity sslpassword
      sslaccept host socket_timeout pgbouncer statement_cache_size application_name channel_binding options max_connection_lifetime
      max_idle_connection_lifetime single_use_connections`.split(/\s+/);
    expect(unlisted(documented)).toEqual([]);
  });

  it('has an explanation of every parameter that is honoured, and no other', () => {
    const page = readFileSync(new URL('../../../../docs/postgres.md', import.meta.url), 'utf8');
    const cells = [...page.matchAll(/^\| (`[a-z_`, ]+`) +\| [^|]+\|$/gm)].map(([, cell]) => cell!);
    const explained = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
    const honoured = Object.keys(URL_PARAMETERS).filter((name) => 'honour' in URL_PARAMETERS[name]!);
    expect(explained.toSorted()).toEqual(honoured.toSorted());
  });
});

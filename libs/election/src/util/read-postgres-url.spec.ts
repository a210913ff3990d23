import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PostgresUrlError, postgresUrlProblems, readPostgresUrl } from './read-postgres-url.js';
import { URL_PARAMETERS } from './url-parameters.js';

const BASE = 'postgresql://user:s3cret@host:6543/base';
const read = (query: string) => readPostgresUrl(`${BASE}?${query}`);
const problems = (query: string) => postgresUrlProblems(`${BASE}?${query}`);

const folder = mkdtempSync(join(tmpdir(), 'postgres-url-'));
const file = (name: string) => {
  writeFileSync(join(folder, name), name);
  return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true }));

describe('readPostgresUrl', () => {
  it('reads the address', () => {
    expect(readPostgresUrl('postgres://us%40er:p%2Fw@[::1]:6543/a%20b').client).toEqual({
      host: '::1',
      port: 6543,
      user: 'us@er',
      password: 'p/w',
      database: 'a b',
    });
    expect(readPostgresUrl('postgresql://host').client).toEqual({ host: 'host' });
    expect(readPostgresUrl('postgresql://%2Fvar%2Frun/base').client.host).toBe('/var/run');
    expect(read('host=%2Fvar%2Frun&port=1').client).toMatchObject({ host: '/var/run', port: 1 });
  });

  it.each<[string, string, object]>([
    ['schema', 'one', { schema: 'one' }],
    ['connection_limit', '5', { pool: { max: 5 } }],
    ['connect_timeout', '3', { client: { connectionTimeoutMillis: 3_000 } }],
    ['pool_timeout', '0', { client: { connectionTimeoutMillis: 0 } }],
    ['socket_timeout', '3', { client: { query_timeout: 3_000 } }],
    ['query_timeout', '1500', { client: { query_timeout: 1_500 } }],
    ['max_connection_lifetime', '60', { pool: { maxLifetimeSeconds: 60 } }],
    ['max_idle_connection_lifetime', '60', { pool: { idleTimeoutMillis: 60_000 } }],
    ['pgbouncer', 'true', { pooler: true }],
    ['statement_cache_size', '0', {}],
    ['sslmode', 'disable', { client: { ssl: false } }],
    ['sslmode', 'require', { client: { ssl: {} } }],
    ['sslmode', 'verify-full', { client: { ssl: {} } }],
    ['sslmode', 'no-verify', { client: { ssl: { rejectUnauthorized: false } } }],
    ['ssl', 'true', { client: { ssl: {} } }],
    ['ssl', 'false', { client: { ssl: false } }],
    ['sslaccept', 'accept_invalid_certs', { client: { ssl: { rejectUnauthorized: false } } }],
    ['sslrootcert', file('ca'), { client: { ssl: { ca: Buffer.from('ca') } } }],
    ['sslrootcert', 'system', { client: { ssl: {} } }],
    ['sslidentity', file('pfx'), { client: { ssl: { pfx: Buffer.from('pfx') } } }],
    ['sslnegotiation', 'direct', { client: { ssl: {}, sslnegotiation: 'direct' } }],
    ['channel_binding', 'prefer', { client: { enableChannelBinding: true } }],
    ['application_name', 'app', { client: { application_name: 'app' } }],
    ['options', '-c%20work_mem=5MB', { client: { options: '-c work_mem=5MB' } }],
    ['client_encoding', 'utf8', {}],
    ['keepalives', '0', { client: { keepAlive: false } }],
    ['keepalives_idle', '3', { client: { keepAliveInitialDelayMillis: 3_000 } }],
  ])('honours %s=%s', (name, value, expected) => {
    expect(read(`${name}=${value}`)).toMatchObject(expected);
  });

  it('honours a certificate of the client, and its passphrase', () => {
    const query = `sslmode=verify-ca&sslrootcert=${file('ca')}&sslcert=${file('cert')}&sslkey=${file('key')}&sslpassword=p`;
    expect(read(query).client.ssl).toEqual({
      ca: Buffer.from('ca'),
      cert: Buffer.from('cert'),
      key: Buffer.from('key'),
      passphrase: 'p',
      checkServerIdentity: expect.any(Function),
    });
  });

  it('prefers the URL to the defaults', () => {
    const { pool } = readPostgresUrl(`${BASE}?connection_limit=5&application_name=app`, {
      max: 10,
      application_name: 'default',
      query_timeout: 5_000,
    });
    expect(pool).toMatchObject({ max: 5, application_name: 'app', query_timeout: 5_000 });
  });

  it('gives the session its settings in one statement, without the parameters of the start', async () => {
    const sent: unknown[][] = [];
    const client = {
      processID: 7,
      query: async (...call: unknown[]) => {
        sent.push(call);
        return { rows: [{}] };
      },
    };
    const { pool, begin } = readPostgresUrl(`${BASE}?schema=o"ne&lock_timeout=5`, {
      session: { lock_timeout: '1', statement_timeout: '2' },
    });
    await begin(client);
    await pool.onConnect(client);
    expect(sent[0]![1]).toEqual([
      ['lock_timeout', 'statement_timeout', 'search_path'],
      ['5', '2', '"o""ne"'],
      7,
    ]);
    expect(sent[1]).toEqual(sent[0]);
    expect(pool).not.toHaveProperty('lock_timeout');
  });

  it.each([
    ['schema=', 'schema: must not be empty'],
    ['schema=a$b', 'schema: must be a name of 1 to 63 bytes without "$" and control characters'],
    ['connection_limit=0', 'connection_limit: must be a whole number from 1 to 10000'],
    ['connect_timeout=1.5', 'connect_timeout: must be a whole number from 0 to 2147483'],
    ['connect_timeout=1&pool_timeout=2', 'pool_timeout: connect_timeout and pool_timeout set the same'],
    ['socket_timeout=1&query_timeout=2', 'query_timeout: socket_timeout and query_timeout set the same'],
    ['sslmode=prefer', 'sslmode: must be disable or no-verify or require or verify-ca or verify-full'],
    ['sslmode=disable&ssl=true', 'ssl: sslmode and ssl set the same: give one of them'],
    ['sslmode=verify-ca', 'sslmode: verify-ca needs sslrootcert; without it use verify-full'],
    ['sslmode=verify-full&sslaccept=accept_invalid_certs', 'sslaccept: contradicts sslmode'],
    ['sslcert=x', 'sslcert: needs sslkey, because it is the certificate of this client; sslrootcert names'],
    ['sslpassword=x', 'sslpassword: needs sslkey or sslidentity'],
    ['sslrootcert=/nowhere', 'sslrootcert: the file cannot be read (ENOENT)'],
    ['channel_binding=require', 'channel_binding: must be disable or prefer'],
    ['statement_cache_size=100', 'statement_cache_size: must be 0'],
    ['options=-c%20search_path=x', 'options: must not set search_path: use schema'],
    ['host=a,b', 'host: must name one host'],
    ['schema=a&schema=a', 'schema: is given twice'],
    [
      'target_session_attrs=read-write',
      'target_session_attrs: is not supported; the driver "pg" does not choose',
    ],
    ['shema=a', 'shema: is not known; did you mean schema?'],
    ['SSLMODE=require', 'SSLMODE: is not known; did you mean sslmode?'],
    ['connectionlimit=a', 'connectionlimit: is not known; did you mean connection_limit?'],
    ['schema=a&quux=a', 'parameter 2 is not known; remove it, or use one of schema, connection_limit,'],
  ])('refuses %s by name', (query, problem) => {
    expect(problems(query)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(
    Object.entries(URL_PARAMETERS).flatMap(([name, of]) => ('remedy' in of ? [[name, of.remedy]] : [])),
  )('refuses %s, and names the remedy', (name, remedy) => {
    expect(problems(`${name}=1`)).toEqual([`${name}: is not supported; ${remedy}`]);
  });

  it('reports all problems at once', () => {
    expect(problems('shema=a&sslmode=x&service=1')).toHaveLength(3);
    expect(() => read('shema=a&service=1')).toThrow(PostgresUrlError);
  });

  it.each([
    ['', 'must be a URL'],
    ['mysql://host/base', 'must be a URL'],
    ['postgresql://a:1,b:2/base', 'must be a URL'],
    ['postgresql:///base', 'must name a host'],
    ['postgresql://user:%ZZ@host/base', 'must write "%" as %25'],
  ])('refuses the address %j', (url, problem) => {
    expect(postgresUrlProblems(url)).toEqual([expect.stringContaining(problem)]);
  });

  it('shows no part of a password, wherever the reader of the URL finds it', () => {
    const secret = 'Hunter2';
    const urls = [
      ...['?', '#', '/', '%', ':', '@', '&', '=', ' ', '[', '\\', '1?', '1/', '1#', '%zz'].flatMap((sign) => [
        `postgresql://user:${secret}${sign}${secret}@host/base?shema=x`,
        `postgresql://user:1${sign}${secret}@host/base`,
        `postgresql://user:${secret}@host/base?${sign}${secret}=${secret}`,
      ]),
      ...Object.keys(URL_PARAMETERS).map((name) => `${BASE}?${name}=${secret}&${name}=${secret}`),
      `${BASE}?sslmode=require&sslrootcert=/${secret}&passwort=${secret}`,
    ];
    for (const url of urls)
      try {
        readPostgresUrl(url);
      } catch (error) {
        expect(error).toBeInstanceOf(PostgresUrlError);
        const { message, stack, problems: found } = error as PostgresUrlError;
        expect(`${message} ${stack} ${found.join()}`).not.toContain(secret);
      }
  });
});

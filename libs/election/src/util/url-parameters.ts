import { type SettingsDraft, setOnce } from './settings-draft.js';

/** What one parameter of a URL does: it changes the settings, or it is refused with a remedy. */
export type UrlParameter =
  | {
      /** Returns the problem of the value. No problem shows a value, because it may be a secret in the wrong place. */
      readonly honour: (value: string, draft: SettingsDraft) => string | undefined;
    }
  | { readonly remedy: string };

type Store<Value> = (value: Value, draft: SettingsDraft) => string | undefined | void;

/** The longest timer of Node, and the highest setting of PostgreSQL. Milliseconds. */
const MAX_MS = 2_147_483_647;
const SECONDS = 1_000;

const number = (least: number, most: number, store: Store<number>) => ({
  honour: (value: string, draft: SettingsDraft) =>
    /^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? (store(Number(value), draft) ?? undefined)
      : `must be a whole number from ${least} to ${most}`,
});

const milliseconds = (least: number, store: Store<number>) => number(least, MAX_MS, store);

/** Calls `store` with milliseconds. */
const seconds = (least: number, store: Store<number>) =>
  number(least, Math.floor(MAX_MS / SECONDS), (value, draft) => store(value * SECONDS, draft));

const choice = <Value extends string>(values: readonly Value[], store: Store<Value>) => ({
  honour: (value: string, draft: SettingsDraft) =>
    values.includes(value as Value)
      ? (store(value as Value, draft) ?? undefined)
      : `must be ${values.join(' or ')}`,
});

const text = (store: Store<string>) => ({
  honour: (value: string, draft: SettingsDraft) =>
    value === '' ? 'must not be empty' : (store(value, draft) ?? undefined),
});

/** A setting of the session, in milliseconds. */
const sessionSetting = (name: string) =>
  milliseconds(0, (value, { session }) => {
    session[name] = String(value);
  });

const tls = (store: (value: string, draft: SettingsDraft['tls']) => void) =>
  text((value, draft) => void store(value, draft.tls));

/** Both limit the time for getting a connection, for which `pg` has one limit. 0: no limit. */
const connectionTimeout = seconds(0, (value, { client }) =>
  setOnce(client, 'connectionTimeoutMillis', value, 'connect_timeout and pool_timeout'),
);

const inUserInfo = { remedy: 'put it before the host, as in postgresql://user:password@host/database' };
const inPath = { remedy: 'put the name of the database after the host, as in postgresql://host/database' };
const notSupported = { remedy: 'the driver "pg" does not support it; remove it' };
const camelCase = (name: string) => ({ remedy: `in a URL, use ${name}` });

/**
 * The parameters of a `postgresql://` URL that libpq, `pg` or Prisma know: each honoured, or refused with its remedy. A parameter
 * that is not listed here is refused, too.
 */
export const URL_PARAMETERS: Readonly<Record<string, UrlParameter>> = {
  // Of Prisma.
  schema: text((value, draft) => {
    // "$" and control characters cannot stand in the SQL of the change feed. PostgreSQL silently truncates longer names.
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f$]/.test(value) || Buffer.byteLength(value) > 63)
      return 'must be a name of 1 to 63 bytes without "$" and control characters';
    draft.schema = value;
  }),
  connection_limit: number(1, 10_000, (value, { pool }) => {
    pool.max = value;
  }),
  connect_timeout: connectionTimeout,
  pool_timeout: connectionTimeout,
  socket_timeout: seconds(1, (value, { client }) =>
    setOnce(client, 'query_timeout', value, 'socket_timeout and query_timeout'),
  ),
  max_connection_lifetime: seconds(0, (value, { pool }) => {
    pool.maxLifetimeSeconds = value / SECONDS;
  }),
  max_idle_connection_lifetime: seconds(0, (value, { pool }) => {
    pool.idleTimeoutMillis = value;
  }),
  pgbouncer: choice(['true', 'false'], (value, draft) => {
    draft.pooler = value === 'true';
  }),
  statement_cache_size: choice(['0'], () => undefined),
  single_use_connections: notSupported,

  // TLS.
  sslmode: choice(['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'], (value, draft) =>
    setOnce(draft.tls, 'mode', value, 'sslmode and ssl'),
  ),
  ssl: choice(['true', '1', 'false', '0', 'no-verify'], (value, draft) => {
    const mode = { true: 'require', 1: 'require', false: 'disable', 0: 'disable' } as const;
    return setOnce(draft.tls, 'mode', value === 'no-verify' ? value : mode[value], 'sslmode and ssl');
  }),
  sslaccept: choice(['strict', 'accept_invalid_certs'], (value, draft) => {
    draft.tls.accept = value;
  }),
  sslrootcert: tls((value, draft) => (draft.rootCertificate = value)),
  sslcert: tls((value, draft) => (draft.certificate = value)),
  sslkey: tls((value, draft) => (draft.key = value)),
  sslidentity: tls((value, draft) => (draft.identity = value)),
  sslpassword: tls((value, draft) => (draft.passphrase = value)),
  sslnegotiation: choice(['postgres', 'direct'], (value, { client, tls: draft }) => {
    client.sslnegotiation = value;
    if (value === 'direct') draft.wanted = true;
  }),
  uselibpqcompat: {
    remedy:
      'remove it: sslmode=require verifies the certificate; use sslmode=verify-ca to skip the name of the host, or sslmode=no-verify to skip the certificate',
  },
  channel_binding: choice(['disable', 'prefer'], (value, { client }) => {
    client.enableChannelBinding = value === 'prefer';
  }),

  // Of the session.
  application_name: text((value, { client }) => {
    client.application_name = value;
  }),
  fallback_application_name: { remedy: 'use application_name' },
  options: text((value, { client }) => {
    if (/\bsearch_path\b/i.test(value)) return 'must not set search_path: use schema';
    client.options = value;
  }),
  statement_timeout: sessionSetting('statement_timeout'),
  lock_timeout: sessionSetting('lock_timeout'),
  idle_in_transaction_session_timeout: sessionSetting('idle_in_transaction_session_timeout'),
  query_timeout: milliseconds(1, (value, { client }) =>
    setOnce(client, 'query_timeout', value, 'socket_timeout and query_timeout'),
  ),
  client_encoding: choice(['UTF8', 'utf8', 'UTF-8', 'utf-8', 'auto'], () => undefined),
  encoding: { remedy: 'remove it: the encoding is always UTF8' },
  replication: notSupported,
  binary: notSupported,

  // Where the server is.
  host: text((value, { client }) => {
    if (value.includes(',')) return 'must name one host';
    client.host = value;
  }),
  port: number(1, 65_535, (value, { client }) => {
    client.port = value;
  }),
  user: inUserInfo,
  password: inUserInfo,
  dbname: inPath,
  database: inPath,
  db: inPath,
  hostaddr: { remedy: 'use host' },
  target_session_attrs: {
    remedy: 'the driver "pg" does not choose between hosts; name the primary and remove it',
  },
  load_balance_hosts: { remedy: 'the driver "pg" does not choose between hosts; remove it' },
  connectionString: { remedy: 'put its parts into this URL' },

  // Of the socket.
  keepalives: choice(['0', '1'], (value, { client }) => {
    client.keepAlive = value === '1';
  }),
  keepalives_idle: seconds(0, (value, { client }) => {
    client.keepAliveInitialDelayMillis = value;
  }),
  keepalives_interval: { remedy: 'set it in the operating system, or use keepalives_idle' },
  keepalives_count: { remedy: 'set it in the operating system, or use keepalives_idle' },
  tcp_user_timeout: { remedy: 'use socket_timeout' },
  connectionTimeoutMillis: camelCase('connect_timeout'),
  keepAlive: camelCase('keepalives'),
  keepAliveInitialDelayMillis: camelCase('keepalives_idle'),

  // Of libpq alone.
  passfile: inUserInfo,
  service: notSupported,
  servicefile: notSupported,
  requirepeer: notSupported,
  require_auth: notSupported,
  requiressl: { remedy: 'use sslmode=require' },
  sslcompression: notSupported,
  sslcertmode: notSupported,
  sslcrl: notSupported,
  sslcrldir: notSupported,
  sslsni: notSupported,
  sslkeylogfile: notSupported,
  ssl_min_protocol_version: notSupported,
  ssl_max_protocol_version: notSupported,
  min_protocol_version: notSupported,
  max_protocol_version: notSupported,
  gssencmode: notSupported,
  gsslib: notSupported,
  gssdelegation: notSupported,
  krbsrvname: notSupported,
  scram_client_key: notSupported,
  scram_server_key: notSupported,
  oauth_issuer: notSupported,
  oauth_client_id: notSupported,
  oauth_client_secret: notSupported,
  oauth_scope: notSupported,
};

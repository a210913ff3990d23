import { CLUSTER_COLOURS } from '@detector-cluster/dashboard-protocol';
import { NetworkPolicy, RebalanceWindows } from '@detector-cluster/detector-cluster/validation';
import { postgresUrlProblems } from '@detector-cluster/election/internal';
import { z } from 'zod';
import { FORBIDDEN_RECEIVER, mayReceive } from '../alerts/post-message.js';
import type { PicturePlace } from '../detections/picture-store.js';
import { apiKeysVariable, apiKeyVariable } from './api-keys-variable.js';
import { workerPem, workersVariable, workerToken } from './workers-variable.js';

const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const PORT = 26_379;
const MAX_PORT = 65_535;

/** Host names, IPv4 addresses, and IPv6 addresses in brackets; the port is optional. */
const ADDRESS = /^(?:([^\s:[\]@/]+)|\[([^\s[\]@/]+)\])(?::(\d{1,5}))?$/;

/** What stands between commas. */
const listed = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** `host:port` of each sentinel, with commas between them. Default port 26379. */
const sentinelsVariable = z.string().transform((given, context) => {
  const entries = listed(given);
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  if (entries.length === 0) return refuse('must name at least one sentinel');
  return entries.map((entry, index) => {
    const [, name, bracketed, digits] = ADDRESS.exec(entry) ?? [];
    const host = name ?? bracketed;
    const port = Number(digits ?? PORT);
    const isValid = host !== undefined && port > 0 && port <= MAX_PORT;
    return isValid ? { host, port } : refuse(`entry ${index + 1} must be host:port`);
  });
});

/** REBALANCE_WINDOWS: `<cron expression> <time zone> <minutes>`, with semicolons between them. */
const windowsVariable = z.string().transform((text, context) => {
  const windows = text.split(';').map((entry) => {
    const parts = entry.trim().split(/\s+/);
    const [timeZone = '', minutes] = parts.splice(-2);
    return { opens: parts.join(' '), timeZone, duration: Number(minutes) * 60_000 };
  });
  const problems: string[] = [];
  RebalanceWindows.of(windows, problems);
  for (const problem of problems)
    context.addIssue(
      problem.replace(/^rebalanceWindows\[(\d+)\]\./, (_, i: string) => `entry ${Number(i) + 1}: `),
    );
  return windows;
});

/** DETECTION_PICTURES: `file:///directory`, or `s3://bucket/prefix`. */
const picturesVariable = z.string().transform((value, context): PicturePlace => {
  const { protocol, host, pathname, search, hash } = new URL(URL.canParse(value) ? value : 'none:');
  const path = decodeURIComponent(pathname);
  if (search + hash === '' && protocol === 'file:' && host === '' && path.length > 1)
    return { directory: path };
  if (search + hash === '' && protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(host))
    return { bucket: host, prefix: path.replace(/^\//, '').replace(/([^/])$/, '$1/') };
  context.addIssue('must be file:///directory or s3://bucket/prefix');
  return z.NEVER;
});

/** ALLOWED_NETWORKS: networks, addresses and host names with commas between them. */
const networksVariable = z
  .string()
  .transform(listed)
  .superRefine((entries, context) => {
    const problems: string[] = [];
    NetworkPolicy.of(entries, problems);
    for (const problem of problems)
      context.addIssue(problem.replace(/^networks\[(\d+)\]:/, (_, i: string) => `entry ${Number(i) + 1}`));
  });

/** TRUSTED_PROXY: addresses and networks with commas between them. */
const proxiesVariable = z.string().transform((value, context) => {
  const entries = value.split(',').map((entry) => entry.trim());
  for (const [index, entry] of entries.entries())
    if (!NETWORK.safeParse(entry).success)
      context.addIssue(`entry ${index + 1} must be an address or a network such as 10.0.0.0/8`);
  return entries;
});

/** Log levels by name; each includes the ones before it. */
export const logLevelNames = ['fatal', 'error', 'warn', 'info', 'debug', 'verbose'] as const;

const integer = (min: number, max: number) => {
  const problem = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem);
};

const url = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => hasProtocol(value, protocols), `must be a URL that starts with ${list(protocols)}`);

/** Files that the URL names are read, so that a missing one is reported with the other problems. */
const postgresUrl = z.string().superRefine((value, context) => {
  for (const problem of postgresUrlProblems(value)) context.addIssue(problem);
});

const text = (max: number) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');

/** Names with commas between them. */
const names = text(4_096).transform(listed);

/** One secret, or several with white space between them: the first encrypts, all decrypt. */
const secrets = z
  .string()
  .transform((value) => value.split(/\s+/).filter((secret) => secret !== ''))
  .refine((given) => given.length > 0 && given.every((secret) => secret.length >= 32), {
    message: 'must be at least 32 characters; of a list, with white space between them, each',
  });

/** Where alerts are sent. */
const receiver = url('http:', 'https:').refine(
  (value) => !hasProtocol(value, ['http:', 'https:']) || mayReceive(value),
  FORBIDDEN_RECEIVER,
);

const SIGNING_KEY = 'must be 24 to 64 bytes in base64, such as the output of: openssl rand -base64 32';

/** As Standard Webhooks write it: base64, `whsec_` may precede it. */
const signingKey = z
  .string()
  .regex(/^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/, SIGNING_KEY)
  .transform((value) => Buffer.from(value.replace(/^whsec_/, ''), 'base64'))
  .refine(({ length }) => length >= 24 && length <= 64, SIGNING_KEY);

/** ALERT_LABELS: `name=value` with commas between them. */
const labelsVariable = text(1_024).transform((value, context) => {
  const labels: Record<string, string> = {};
  for (const [index, entry] of value.split(',').entries()) {
    const [, name, content] = /^\s*([a-zA-Z_]\w*)=(.*?)\s*$/.exec(entry) ?? [];
    if (name === undefined || content === '') context.addIssue(`entry ${index + 1} must be name=value`);
    else if (['alertname', 'severity', 'election'].includes(name))
      context.addIssue(`entry ${index + 1} must not set ${name}, which each alert has`);
    else labels[name] = content!;
  }
  return labels;
});

export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', '1', 'false', '0'], 'must be true or false'))
  .transform((value) => value === 'true' || value === '1');

/** Marks a variable whose value may instead be in a file, because it is secret. */
const byFile = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ byFile: true });

/** The environment variables, one by one. `readConfig` checks rules that concern several of them. */
export const environmentSchema = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: text(255).optional(),
  ALLOWED_HOSTS: names.transform((hosts) => hosts.map((host) => host.toLowerCase())).default([]),
  RATE_LIMIT: integer(0, 1_000_000).default(2_000),
  TRUSTED_PROXIES: integer(0, 10).default(0),
  TRUSTED_PROXY: proxiesVariable.optional(),
  TRUSTED_PROXY_OPERATORS: names.default([]),
  KEEP_ALIVE_TIMEOUT: integer(1_000, 3_600_000).default(90_000),
  API_KEY: byFile(apiKeyVariable.optional()),
  API_KEYS: byFile(apiKeysVariable.default([])),
  ALERTMANAGER_URL: byFile(receiver.optional()),
  ALERT_LABELS: labelsVariable.default({ job: 'cms-backend' }),
  ALERT_WEBHOOK_URL: byFile(receiver.optional()),
  ALERT_WEBHOOK_SECRET: byFile(signingKey.optional()),
  DATABASE_URL: byFile(postgresUrl),
  DIRECT_URL: byFile(postgresUrl.optional()),
  REDIS_URL: byFile(url('redis:', 'rediss:').optional()),
  REDIS_HOST: text(255).optional(),
  REDIS_PORT: integer(1, 65_535).optional(),
  REDIS_PASSWORD: byFile(z.string().optional()),
  REDIS_SENTINELS: sentinelsVariable.optional(),
  REDIS_SENTINEL_NAME: text(255).optional(),
  DETECTOR_WORKERS: byFile(workersVariable.default([])),
  WORKER_TOKEN: byFile(workerToken.optional()),
  WORKER_INSECURE_CREDENTIALS: flag.default(false),
  WORKER_TLS_CA: byFile(workerPem.optional()),
  WORKER_TLS_CERT: byFile(workerPem.optional()),
  WORKER_TLS_KEY: byFile(workerPem.optional()),
  WORKER_TLS_PASSPHRASE: byFile(z.string().optional()),
  WORKER_DETECTION_BYTES: integer(1_024, 1_048_576).default(65_536),
  WORKER_DETECTIONS_PER_SECOND: integer(1, 1_000_000).optional(),
  ALLOWED_NETWORKS: networksVariable.optional(),
  KEY_PREFIX: text(128).optional(),
  MODEL_BASE_URL: byFile(url('http:', 'https:').optional()),
  MODEL_S3_BUCKET: text(255).optional(),
  MODEL_S3_REGION: text(64).optional(),
  MODEL_S3_ENDPOINT: url('http:', 'https:')
    .refine((value) => !hasUserInfo(value), 'must not hold credentials; set MODEL_S3_ACCESS_KEY_ID')
    .optional(),
  MODEL_S3_FORCE_PATH_STYLE: flag.optional(),
  MODEL_S3_ACCESS_KEY_ID: byFile(z.string().optional()),
  MODEL_S3_SECRET_ACCESS_KEY: byFile(z.string().optional()),
  MODEL_S3_SESSION_TOKEN: byFile(z.string().optional()),
  MODEL_S3_URL_LIFETIME: integer(60_000, 604_800_000).default(3_600_000),
  MODEL_CANARY_SHARE: integer(1, 99).optional(),
  MODEL_CANARY_TIME: integer(1_000, 604_800_000).optional(),
  REBALANCE_WINDOWS: windowsVariable.default([]),
  CLUSTER_NAME: text(40).optional(),
  CLUSTER_COLOUR: z.enum(CLUSTER_COLOURS, `must be one of ${CLUSTER_COLOURS.join(', ')}`).optional(),
  CLUSTER_SECRET: byFile(secrets.optional()),
  DELIVERY_PARTITIONS: integer(1, 1_024).default(32),
  DELIVERY_OVERFLOW: z
    .enum(['drop-oldest', 'refuse-new'], 'must be drop-oldest or refuse-new')
    .default('drop-oldest'),
  DELIVERY_ACCEPTANCE_REPLICAS: integer(1, 100).optional(),
  DELIVERY_ACCEPTANCE_FSYNC: flag.default(false),
  DELIVERY_ACCEPTANCE_TIMEOUT: integer(1, 10_000).optional(),
  CHANGE_FEED: flag.default(false),
  DETECT_DEBUG: flag.default(false),
  LOCK_NAME: text(128).default('master-election'),
  ELECTION_TIMING: z.enum(['default', 'fast'], 'must be default or fast').default('default'),
  IDENTIFIER: text(128)
    .regex(/^[^\s:;]*$/, 'must not contain white space, ":" or ";"')
    .optional(),
  RECENT_DETECTIONS: integer(1, 1_000_000).default(1000),
  DETECTION_HISTORY: flag.default(false),
  DETECTION_HISTORY_HOURS: integer(1, 720).default(24),
  DETECTION_HISTORY_ROWS: integer(1_000, 10_000_000).default(500_000),
  DETECTION_PICTURES: picturesVariable.optional(),
  DETECTION_PICTURES_MIB: integer(1, 100_000_000).default(1_024),
  LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json').default('text'),
  LOG_LEVEL: z.enum(logLevelNames, `must be one of ${logLevelNames.join(', ')}`).default('info'),
});

export const SECRET_VARIABLES = Object.entries(environmentSchema.shape).flatMap(([name, schema]) =>
  schema.meta()?.byFile === true ? [name] : [],
);

function hasProtocol(value: string, protocols: string[]): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocols.includes(protocol) && hostname !== '';
}

function hasUserInfo(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}

function list(protocols: string[]): string {
  return protocols.map((protocol) => `${protocol}//`).join(' or ');
}

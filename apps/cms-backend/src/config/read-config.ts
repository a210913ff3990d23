import { defaultKeyPrefix } from '@detector-cluster/detector-cluster/store';
import type { DetectorClusterOptions } from '@detector-cluster/detector-cluster';
import type { LogLevel } from '@nestjs/common';
import type { RedisOptions } from 'ioredis';
import type { z } from 'zod';
import type { ModelStore } from '../entries/model-urls.module.js';
import type { ApiKey } from './api-keys-variable.js';
import { combinationProblems } from './combination-problems.js';
import { environmentSchema, logLevelNames, SECRET_VARIABLES } from './environment.schema.js';
import { UNREADABLE, withSecretFiles } from './secret-files.js';
import { problemsOfWorkers, withWorkerDefaults, type WorkerEntry } from './workers-variable.js';

type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads the configuration from environment variables; an empty value counts as unset. Secrets may be in files.
 * @throws {ConfigError} with every problem at once; each problem names its variable.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>) {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined && value !== '') given[name] = value;
  const { env, nameOf, problems: unreadable } = withSecretFiles(given, SECRET_VARIABLES);
  const parsed = environmentSchema.safeParse(env);
  const invalid = parsed.success
    ? []
    : parsed.error.issues
        .map((issue) => ({ variable: String(issue.path[0]), message: issue.message }))
        .filter(({ variable }) => env[variable] !== UNREADABLE)
        .map(({ variable, message }) =>
          env[variable] === undefined ? `${variable}: must be set` : `${nameOf(variable)}: ${message}`,
        );
  const refused = parsed.success ? problemsOfWorkers(workers(parsed.data)) : [];
  const problems = [
    ...new Set([
      ...unreadable,
      ...invalid,
      ...combinationProblems(env),
      ...refused.map((problem) => `DETECTOR_WORKERS: ${problem}`),
    ]),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data);
}

function toConfig(env: Environment) {
  const { MODEL_CANARY_SHARE: share, MODEL_CANARY_TIME: confirmAfter, CLUSTER_NAME: name } = env;
  return {
    http: httpConfig(env),
    databaseUrl: env.DATABASE_URL,
    redis: redisSource(env),
    /** Options of the detector cluster. */
    cluster: {
      keyPrefix: env.KEY_PREFIX ?? defaultKeyPrefix(env.LOCK_NAME),
      workers: workers(env),
      workerLimits: {
        detectionBytes: env.WORKER_DETECTION_BYTES,
        detectionsPerSecond: env.WORKER_DETECTIONS_PER_SECOND ?? null,
      },
      networks: env.ALLOWED_NETWORKS,
      canary: share === undefined ? undefined : { share, confirmAfter },
      rebalanceWindows: env.REBALANCE_WINDOWS,
      partitions: env.DELIVERY_PARTITIONS,
      overflow: env.DELIVERY_OVERFLOW,
      acceptance: acceptance(env),
      secret: env.CLUSTER_SECRET,
      // The master listens to the same database without a pooler.
      changeFeed: env.CHANGE_FEED ? { connectionString: env.DIRECT_URL ?? env.DATABASE_URL } : undefined,
    },
    models: modelStore(env),
    /** For people; null: none. */
    clusterLabel: name === undefined ? null : { name, colour: env.CLUSTER_COLOUR ?? null },
    /** Options of the election. */
    election: { lockName: env.LOCK_NAME, timing: env.ELECTION_TIMING, identifier: env.IDENTIFIER },
    alerts: alerts(env),
    /** How many detections `/api/detections/recent` keeps. */
    recentDetections: env.RECENT_DETECTIONS,
    detectionHistory: detectionHistory(env),
    logLevels: logLevels(env),
    logFormat: env.LOG_FORMAT,
  };
}

/** How long the database keeps detections for searches, how many, and their pictures. Null: it keeps none. */
function detectionHistory(env: Environment) {
  if (!env.DETECTION_HISTORY) return null;
  const { DETECTION_PICTURES: place, DETECTION_PICTURES_MIB: size } = env;
  const pictures = place === undefined ? null : { place, bytes: size * 1024 * 1024 };
  return { hours: env.DETECTION_HISTORY_HOURS, rows: env.DETECTION_HISTORY_ROWS, pictures };
}

function workers(env: Environment): WorkerEntry[] {
  return withWorkerDefaults(env.DETECTOR_WORKERS, {
    token: env.WORKER_TOKEN,
    tls: {
      ca: env.WORKER_TLS_CA,
      cert: env.WORKER_TLS_CERT,
      key: env.WORKER_TLS_KEY,
      passphrase: env.WORKER_TLS_PASSPHRASE,
    },
    allowInsecureCredentials: env.WORKER_INSECURE_CREDENTIALS,
  });
}

function httpConfig(env: Environment) {
  const keys: ApiKey[] = [...env.API_KEYS];
  if (env.API_KEY !== undefined) keys.push({ name: 'api-key', role: 'operate', key: env.API_KEY });
  const { TRUSTED_PROXY: networks, TRUSTED_PROXY_OPERATORS: operators } = env;
  const proxy = networks === undefined ? null : { networks, operators };
  return {
    port: env.PORT,
    host: env.HOST ?? (keys.length === 0 && proxy === null ? '127.0.0.1' : '0.0.0.0'),
    /** If there are any, every call except /health needs one, or comes from the proxy. */
    keys,
    /** Whose headers name the user of a request, and which users or groups may operate. Null: none. */
    proxy,
    allowedHosts: env.ALLOWED_HOSTS,
    rateLimit: env.RATE_LIMIT,
    trustedProxies: env.TRUSTED_PROXIES,
    keepAliveTimeout: env.KEEP_ALIVE_TIMEOUT,
  };
}

function acceptance(env: Environment): DetectorClusterOptions['acceptance'] {
  const { DELIVERY_ACCEPTANCE_REPLICAS: replicas, DELIVERY_ACCEPTANCE_FSYNC: fsync } = env;
  if (replicas === undefined && !fsync) return undefined;
  const timeout = env.DELIVERY_ACCEPTANCE_TIMEOUT ?? (fsync ? 5_000 : 1_000);
  return { replicas: replicas ?? 0, fsync, timeout };
}

function alerts(env: Environment) {
  const { ALERTMANAGER_URL: alertmanager, ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret } = env;
  return {
    alertmanager: alertmanager ?? null,
    webhook: url === undefined || secret === undefined ? null : { url, secret },
    /** Those that Prometheus gives to the metrics of this cluster. */
    labels: env.ALERT_LABELS,
  };
}

function modelStore(env: Environment): ModelStore {
  const { MODEL_S3_BUCKET: bucket, MODEL_S3_SESSION_TOKEN: sessionToken } = env;
  if (bucket === undefined) return { baseUrl: env.MODEL_BASE_URL ?? '' };
  const { MODEL_S3_ACCESS_KEY_ID: accessKeyId, MODEL_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return {
    bucket,
    expiresIn: env.MODEL_S3_URL_LIFETIME,
    region: env.MODEL_S3_REGION,
    endpoint: env.MODEL_S3_ENDPOINT,
    forcePathStyle: env.MODEL_S3_FORCE_PATH_STYLE,
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey, sessionToken } }),
  };
}

function redisSource(env: Environment): string | RedisOptions {
  if (env.REDIS_URL !== undefined) return env.REDIS_URL;
  const { REDIS_HOST: host, REDIS_PORT: port = 6379, REDIS_PASSWORD: password } = env;
  const { REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: name } = env;
  return {
    ...(sentinels === undefined ? { host, port } : { sentinels, name }),
    ...(password !== undefined && { password }),
  };
}

function logLevels(env: Environment): LogLevel[] {
  const included = logLevelNames.slice(0, logLevelNames.indexOf(env.LOG_LEVEL) + 1);
  const levels = included.map((name): LogLevel => (name === 'info' ? 'log' : name));
  return env.DETECT_DEBUG && !levels.includes('debug') ? [...levels, 'debug'] : levels;
}

/** The environment cannot be used. `problems` has one line per problem, each with the name of its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(['Invalid configuration:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

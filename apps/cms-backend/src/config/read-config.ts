import { defaultKeyPrefix } from '@detector-cluster/detector-cluster/store';
import type { CanaryOptions } from '@detector-cluster/detector-cluster';
import type { LogLevel } from '@nestjs/common';
import type { z } from 'zod';
import type { ApiKey } from './api-keys-variable.js';
import type { AppConfig, ModelStore, RedisAddress } from './app-config.js';
import { combinationProblems } from './combination-problems.js';
import { environmentSchema, logLevelNames } from './environment.schema.js';
import { UNREADABLE, withSecretFiles } from './secret-files.js';
import { problemsOfWorkers, withWorkerDefaults, type WorkerEntry } from './workers-variable.js';

type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads the configuration from environment variables; an empty value counts as unset. Secrets may be in files.
 * @throws {ConfigError} with every problem at once; each problem names its variable.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): AppConfig {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined && value !== '') given[name] = value;
  const { env, nameOf, problems: unreadable } = withSecretFiles(given);
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

function toConfig(env: Environment): AppConfig {
  return {
    http: httpConfig(env),
    databaseUrl: env.DATABASE_URL,
    directUrl: env.DIRECT_URL ?? env.DATABASE_URL,
    redis: redisAddress(env),
    cluster: {
      workers: workers(env),
      workerLimits: workerLimits(env),
      networks: env.ALLOWED_NETWORKS ?? null,
      keyPrefix: env.KEY_PREFIX ?? defaultKeyPrefix(env.LOCK_NAME),
      label:
        env.CLUSTER_NAME === undefined
          ? null
          : { name: env.CLUSTER_NAME, colour: env.CLUSTER_COLOUR ?? null },
      models: modelStore(env),
      canary: canary(env),
      rebalanceWindows: env.REBALANCE_WINDOWS,
      changeFeed: env.CHANGE_FEED,
      secret: env.CLUSTER_SECRET ?? null,
      debug: env.DETECT_DEBUG,
      delivery: delivery(env),
    },
    election: {
      lockName: env.LOCK_NAME,
      timing: env.ELECTION_TIMING,
      identifier: env.IDENTIFIER ?? null,
    },
    alerts: alerts(env),
    recentDetections: env.RECENT_DETECTIONS,
    detectionHistory: detectionHistory(env),
    logLevels: logLevels(env),
    logFormat: env.LOG_FORMAT,
  };
}

function detectionHistory(env: Environment): AppConfig['detectionHistory'] {
  if (!env.DETECTION_HISTORY) return null;
  const { DETECTION_PICTURES: place, DETECTION_PICTURES_MIB: size } = env;
  const pictures = place === undefined ? null : { place, bytes: size * 1024 * 1024 };
  return { hours: env.DETECTION_HISTORY_HOURS, rows: env.DETECTION_HISTORY_ROWS, pictures };
}

function canary({
  MODEL_CANARY_SHARE: share,
  MODEL_CANARY_TIME: confirmAfter,
}: Environment): CanaryOptions | null {
  return share === undefined ? null : { share, ...(confirmAfter !== undefined && { confirmAfter }) };
}

function workers(env: Environment): WorkerEntry[] {
  return withWorkerDefaults(env.DETECTOR_WORKERS, {
    token: env.WORKER_TOKEN,
    tls: workerTls(env),
    allowInsecureCredentials: env.WORKER_INSECURE_CREDENTIALS,
  });
}

function workerLimits(env: Environment): AppConfig['cluster']['workerLimits'] {
  const { WORKER_DETECTION_BYTES: detectionBytes, WORKER_DETECTIONS_PER_SECOND: detectionsPerSecond } = env;
  return {
    ...(detectionBytes !== undefined && { detectionBytes }),
    ...(detectionsPerSecond !== undefined && { detectionsPerSecond }),
  };
}

function httpConfig(env: Environment): AppConfig['http'] {
  const keys: ApiKey[] = [...env.API_KEYS];
  if (env.API_KEY !== undefined) keys.push({ name: 'api-key', role: 'operate', key: env.API_KEY });
  const proxy =
    env.TRUSTED_PROXY === undefined
      ? null
      : { networks: env.TRUSTED_PROXY, operators: env.TRUSTED_PROXY_OPERATORS };
  const host = env.HOST ?? (keys.length === 0 && proxy === null ? '127.0.0.1' : '0.0.0.0');
  return {
    port: env.PORT,
    host,
    keys,
    proxy,
    allowedHosts: env.ALLOWED_HOSTS,
    rateLimit: env.RATE_LIMIT,
    trustedProxies: env.TRUSTED_PROXIES,
    keepAliveTimeout: env.KEEP_ALIVE_TIMEOUT,
  };
}

function delivery(env: Environment): AppConfig['cluster']['delivery'] {
  const { DELIVERY_ACCEPTANCE_REPLICAS: replicas, DELIVERY_ACCEPTANCE_FSYNC: fsync } = env;
  const timeout = env.DELIVERY_ACCEPTANCE_TIMEOUT ?? (fsync ? 5_000 : 1_000);
  return {
    partitions: env.DELIVERY_PARTITIONS,
    overflow: env.DELIVERY_OVERFLOW,
    acceptance: replicas === undefined && !fsync ? null : { replicas: replicas ?? 0, fsync, timeout },
  };
}

function alerts(env: Environment): AppConfig['alerts'] {
  const { ALERTMANAGER_URL: alertmanager, ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret } = env;
  return {
    alertmanager: alertmanager ?? null,
    webhook: url === undefined || secret === undefined ? null : { url, secret },
    labels: env.ALERT_LABELS,
  };
}

function workerTls(env: Environment) {
  const { WORKER_TLS_CA: ca, WORKER_TLS_CERT: cert, WORKER_TLS_KEY: key } = env;
  const passphrase = env.WORKER_TLS_PASSPHRASE;
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
  };
}

function modelStore(env: Environment): ModelStore {
  const { MODEL_S3_BUCKET: bucket, MODEL_S3_REGION: region, MODEL_S3_ENDPOINT: endpoint } = env;
  if (bucket === undefined) return { baseUrl: env.MODEL_BASE_URL ?? '' };
  const { MODEL_S3_ACCESS_KEY_ID: accessKeyId, MODEL_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const { MODEL_S3_SESSION_TOKEN: sessionToken, MODEL_S3_FORCE_PATH_STYLE: forcePathStyle } = env;
  return {
    bucket,
    expiresIn: env.MODEL_S3_URL_LIFETIME,
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && {
        credentials: {
          accessKeyId,
          secretAccessKey,
          ...(sessionToken !== undefined && { sessionToken }),
        },
      }),
  };
}

function redisAddress(env: Environment): RedisAddress {
  if (env.REDIS_URL !== undefined) return { url: env.REDIS_URL };
  const { REDIS_HOST: host = '', REDIS_PORT: port = 6379, REDIS_PASSWORD: password } = env;
  const { REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: name = '' } = env;
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

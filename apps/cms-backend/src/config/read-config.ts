import type { LogLevel } from '@nestjs/common';
import { type z } from 'zod';
import type { AppConfig, RedisAddress } from './app-config.js';
import { ConfigError } from './config.error.js';
import { environmentSchema, logLevelNames } from './environment.schema.js';

type Environment = z.infer<typeof environmentSchema>;

/**
 * Reads the configuration from environment variables; an empty value counts as unset.
 * @throws {ConfigError} with every problem at once, each by the name of its variable.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): AppConfig {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => {
        const name = String(issue.path[0]);
        return `${name}: ${given[name] === undefined ? 'must be set' : issue.message}`;
      });
  problems.push(...redisProblems(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data);
}

function redisProblems(given: Record<string, string | undefined>): string[] {
  if (given.REDIS_URL === undefined)
    return given.REDIS_HOST === undefined ? ['REDIS_URL: set it, or REDIS_HOST'] : [];
  return ['REDIS_HOST', 'REDIS_PORT', 'REDIS_PASSWORD']
    .filter((name) => given[name] !== undefined)
    .map((name) => `${name}: must not be set together with REDIS_URL`);
}

function toConfig(env: Environment): AppConfig {
  return {
    http: { port: env.PORT, host: env.HOST, apiKey: env.API_KEY ?? null },
    databaseUrl: env.DATABASE_URL,
    redis: redisAddress(env),
    cluster: {
      workers: env.DETECTOR_WORKERS,
      keyPrefix: env.KEY_PREFIX,
      modelBaseUrl: env.MODEL_BASE_URL,
      changeFeed: env.CHANGE_FEED,
      secret: env.CLUSTER_SECRET ?? null,
      debug: env.DETECT_DEBUG,
    },
    election: {
      lockName: env.LOCK_NAME,
      timing: env.ELECTION_TIMING,
      identifier: env.IDENTIFIER ?? null,
    },
    recentDetections: env.RECENT_DETECTIONS,
    logLevels: logLevels(env),
  };
}

function redisAddress(env: Environment): RedisAddress {
  if (env.REDIS_URL !== undefined) return { url: env.REDIS_URL };
  const { REDIS_HOST: host = '', REDIS_PORT: port = 6379, REDIS_PASSWORD: password } = env;
  return password === undefined ? { host, port } : { host, port, password };
}

function logLevels(env: Environment): LogLevel[] {
  const included = logLevelNames.slice(0, logLevelNames.indexOf(env.LOG_LEVEL) + 1);
  const levels = included.map((name): LogLevel => (name === 'info' ? 'log' : name));
  return env.DETECT_DEBUG && !levels.includes('debug') ? [...levels, 'debug'] : levels;
}

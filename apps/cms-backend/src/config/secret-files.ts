import { readFileSync } from 'node:fs';

/** Variables whose value may instead be in a file, named by `<variable>_FILE`: how Docker and Kubernetes hand over secrets. */
export const SECRET_VARIABLES = [
  'API_KEY',
  'API_KEYS',
  'ALERTMANAGER_URL',
  'ALERT_WEBHOOK_URL',
  'ALERT_WEBHOOK_SECRET',
  'CLUSTER_SECRET',
  'DATABASE_URL',
  'DIRECT_URL',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'DETECTOR_WORKERS',
  'WORKER_TOKEN',
  'WORKER_TLS_CA',
  'WORKER_TLS_CERT',
  'WORKER_TLS_KEY',
  'WORKER_TLS_PASSPHRASE',
  'MODEL_BASE_URL',
  'MODEL_S3_ACCESS_KEY_ID',
  'MODEL_S3_SECRET_ACCESS_KEY',
  'MODEL_S3_SESSION_TOKEN',
] as const;

export interface WithSecrets {
  /** The variables, with the values from files. */
  readonly env: Record<string, string>;
  readonly problems: readonly string[];
  /** The name under which a variable was given, for messages about its value. */
  readonly nameOf: (variable: string) => string;
}

/** Reads the values that are given as files. One line break at the end of a file is not part of the value. */
export function withSecretFiles(given: Readonly<Record<string, string>>): WithSecrets {
  const env = { ...given };
  const problems: string[] = [];
  const fromFile = new Set<string>();
  for (const variable of SECRET_VARIABLES) {
    const name = `${variable}_FILE`;
    const path = given[name];
    if (path === undefined) continue;
    fromFile.add(variable);
    if (given[variable] !== undefined) problems.push(`${name}: must not be set together with ${variable}`);
    const value = readSecret(path);
    if (value instanceof Error) problems.push(`${name}: ${value.message}`);
    // A variable that could not be read must not also be reported as missing.
    env[variable] ??= value instanceof Error ? UNREADABLE : value;
  }
  return {
    env,
    problems,
    nameOf: (variable) => (fromFile.has(variable) ? `${variable}_FILE` : variable),
  };
}

/** Stands for a value that could not be read. Problems that the schema finds in it are left out. */
export const UNREADABLE = '\0unreadable';

/** The content of a file, or the reason why it cannot be read. The reason never shows the content. */
export function readSecret(path: string): string | Error {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return new Error(`cannot read ${path} (${code}); mount it and let this user read it`);
  }
  return text === '' ? new Error(`${path} is empty; write the value into it`) : text;
}

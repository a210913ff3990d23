import { z } from 'zod';

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

const text = (max: number) =>
  z
    .string()
    .max(max, `must be at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');

const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', '1', 'false', '0'], 'must be true or false'))
  .transform((value) => value === 'true' || value === '1');

const workers = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .superRefine((urls, context) => {
    const seen = new Set<string>();
    for (const [index, entry] of urls.entries()) {
      const problem = workerProblem(entry, seen);
      if (problem !== null) context.addIssue(`entry ${index + 1} ${problem}`);
    }
  });

function workerProblem(entry: string, seen: Set<string>): string | null {
  if (!hasProtocol(entry, ['ws:', 'wss:'])) return 'must be a URL that starts with ws:// or wss://';
  const { protocol, host, pathname, search, hash } = new URL(entry);
  if (hash !== '') return 'must not have a fragment';
  // Credentials and a final slash do not make it another worker.
  const identity = `${protocol}//${host}${pathname}${search}`.replace(/\/+$/, '');
  if (seen.has(identity)) return 'repeats an earlier one';
  seen.add(identity);
  return null;
}

/** The environment variables, one by one; what concerns several of them is checked in `readConfig`. */
export const environmentSchema = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: text(255).default('0.0.0.0'),
  API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,256}$/, 'must be 8 to 256 printable ASCII characters without spaces')
    .optional(),
  DATABASE_URL: url('postgresql:', 'postgres:'),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  REDIS_HOST: text(255).optional(),
  REDIS_PORT: integer(1, 65_535).optional(),
  REDIS_PASSWORD: z.string().optional(),
  DETECTOR_WORKERS: workers.default([]),
  KEY_PREFIX: text(128).default(''),
  MODEL_BASE_URL: url('http:', 'https:'),
  CLUSTER_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  CHANGE_FEED: flag.default(false),
  DETECT_DEBUG: flag.default(false),
  LOCK_NAME: text(128).default('master-election'),
  ELECTION_TIMING: z.enum(['default', 'fast'], 'must be default or fast').default('default'),
  IDENTIFIER: text(128)
    .regex(/^[^\s:;]*$/, 'must not contain white space, ":" or ";"')
    .optional(),
  RECENT_DETECTIONS: integer(1, 1_000_000).default(1000),
  LOG_LEVEL: z.enum(logLevelNames, `must be one of ${logLevelNames.join(', ')}`).default('info'),
});

function hasProtocol(value: string, protocols: string[]): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocols.includes(protocol) && hostname !== '';
}

function list(protocols: string[]): string {
  return protocols.map((protocol) => `${protocol}//`).join(' or ');
}

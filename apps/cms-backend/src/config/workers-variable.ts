import { isLoopback } from '@detector-cluster/detector-cluster/validation';
import { z } from 'zod';
import { readSecret } from './secret-files.js';

const pem = z.string().regex(/-----BEGIN /, 'must be PEM');
const token = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks');

/** Checks of values that may also stand alone, in WORKER_TOKEN and WORKER_TLS_*. */
export const workerToken = token;
export const workerPem = pem;

const tlsSchema = withFiles(
  z.strictObject({
    ca: pem.optional(),
    cert: pem.optional(),
    key: pem.optional(),
    passphrase: z.string().optional(),
  }),
  ['ca', 'cert', 'key', 'passphrase'],
);

/** One worker of DETECTOR_WORKERS as JSON. */
const workerEntrySchema = withFiles(
  z.strictObject({
    url: z.string('must be a URL that starts with ws:// or wss://'),
    token: token.optional(),
    allowInsecureCredentials: z.boolean('must be true or false').optional(),
    tls: tlsSchema.optional(),
    capacity: z.number('must be a number').positive('must be above 0').optional(),
    protocol: z.enum(['v1', 'v2'], 'must be v1 or v2').optional(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
  ['token'],
);

export type WorkerEntry = z.infer<typeof workerEntrySchema>;

/** Also accepts `<field>File` for each of the fields: the path of a file that contains the value. */
function withFiles<Schema extends z.ZodType>(schema: Schema, fields: readonly string[]) {
  return z.preprocess((value: unknown, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const entry: Record<string, unknown> = { ...value };
    for (const field of fields) {
      const name = `${field}File`;
      if (!(name in entry)) continue;
      const path = entry[name];
      delete entry[name];
      const secret = typeof path === 'string' ? readSecret(path) : new Error('must be the path of a file');
      if (field in entry) context.addIssue({ code: 'custom', path: [name], message: `excludes ${field}` });
      else if (secret instanceof Error)
        context.addIssue({ code: 'custom', path: [name], message: secret.message });
      else entry[field] = secret;
    }
    return entry;
  }, schema);
}

/** Returns a problem that concerns several fields of a worker, or null. The text contains no secret. */
function workerProblem({ url, token, tls }: WorkerEntry, seen: Set<string>): string | null {
  if (!URL.canParse(url)) return 'must be a URL that starts with ws:// or wss://';
  const { protocol, host, hostname, pathname, search, hash, username, password } = new URL(url);
  if ((protocol !== 'ws:' && protocol !== 'wss:') || hostname === '')
    return 'must be a URL that starts with ws:// or wss://';
  if (!['', '#v1', '#v2'].includes(hash))
    return "must not have a fragment other than #v1 or #v2, the version of the worker's protocol";
  if (token !== undefined && (username !== '' || password !== ''))
    return 'must not have both a token and a user name in its URL; give one of them';
  if (tls !== undefined && protocol !== 'wss:') return 'has tls, which needs a wss:// URL';
  if ((tls?.cert === undefined) !== (tls?.key === undefined))
    return 'must have both tls.cert and tls.key, or neither';
  // Two URLs that differ only in credentials or a final slash name the same worker.
  const identity = `${protocol}//${host}${pathname}${search}`.replace(/\/$/, '');
  if (seen.has(identity)) return 'repeats an earlier one';
  seen.add(identity);
  return null;
}

/** Whether credentials would go over `ws://` to another machine without permission. */
export function isInsecure({ url, token, allowInsecureCredentials }: WorkerEntry): boolean {
  const { protocol, username, password } = new URL(url);
  const hasCredentials = token !== undefined || username !== '' || password !== '';
  return hasCredentials && protocol === 'ws:' && allowInsecureCredentials !== true && !isLoopback(url);
}

const jsonSchema = z.array(
  z.union([z.string().transform((url): WorkerEntry => ({ url })), workerEntrySchema]),
);

/** DETECTOR_WORKERS: URLs with commas between them, or a JSON array of URLs and of objects with credentials. */
export const workersVariable = z
  .string()
  .transform((text, context): WorkerEntry[] => {
    if (!text.trimStart().startsWith('[')) return splitUrls(text);
    const json = parseJson(text);
    if (json === undefined) {
      context.addIssue({ code: 'custom', message: 'begins with "[" but is not valid JSON' });
      return z.NEVER;
    }
    const parsed = jsonSchema.safeParse(json);
    if (parsed.success) return parsed.data;
    for (const issue of deepest(parsed.error.issues))
      context.addIssue({ code: 'custom', message: describe(issue) });
    return z.NEVER;
  })
  .superRefine((entries, context) => {
    const seen = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      const problem = workerProblem(entry, seen);
      if (problem !== null) context.addIssue(`entry ${index + 1} ${problem}`);
    }
  });

function splitUrls(text: string): WorkerEntry[] {
  return text
    .split(',')
    .map((url) => ({ url: url.trim() }))
    .filter(({ url }) => url !== '');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the problems of the object if an entry is neither a URL nor a valid object. */
function deepest(issues: readonly z.core.$ZodIssue[]): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [{ path: issue.path, message: messageOf(issue) }];
    const [, ofObject = []] = issue.errors;
    return ofObject.map((inner) => ({ path: [...issue.path, ...inner.path], message: messageOf(inner) }));
  });
}

/** Replaces Zod's messages for wrong types, which do not name the type that was given. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `has unknown ${issue.keys.join(', ')}` : issue.message;
}

function describe({ path: [index, ...fields], message }: { path: PropertyKey[]; message: string }): string {
  const where = typeof index === 'number' ? `entry ${index + 1}` : 'the list';
  return [where, fields.map(String).join('.'), message].filter((part) => part !== '').join(' ');
}

/** The defaults of workers. */
interface WorkerDefaults {
  readonly token: string | undefined;
  /** For `wss://` URLs. */
  readonly tls: NonNullable<WorkerEntry['tls']>;
  readonly allowInsecureCredentials: boolean;
}

/** Adds the defaults to workers. */
export function withWorkerDefaults(
  workers: readonly WorkerEntry[],
  { token, tls, allowInsecureCredentials }: WorkerDefaults,
): WorkerEntry[] {
  const hasTls = Object.values(tls).some((value) => value !== undefined);
  return workers.map((worker) => {
    const { protocol, username, password } = new URL(worker.url);
    const isKnown = worker.token !== undefined || username !== '' || password !== '';
    const needsTls = hasTls && worker.tls === undefined && protocol === 'wss:';
    return {
      ...(allowInsecureCredentials && { allowInsecureCredentials }),
      ...worker,
      ...(token !== undefined && !isKnown && { token }),
      ...(needsTls && { tls }),
    };
  });
}

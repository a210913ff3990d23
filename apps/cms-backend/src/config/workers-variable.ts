import type { WorkerOption } from '@detector-cluster/detector-cluster';
import { NetworkPolicy, workerProblems } from '@detector-cluster/detector-cluster/validation';
import { z } from 'zod';
import { readJson } from '../stores/read-json.js';
import { readSecret } from './secret-files.js';

/** WORKER_TLS_*. */
export const workerPem = z.string().regex(/-----BEGIN /, 'must be PEM');

/** WORKER_TOKEN. */
export const workerToken = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks');

/** A worker with its properties. The name stands for it in declarations. */
export interface WorkerEntry extends Exclude<WorkerOption, string> {}

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

/** The workers of DETECTOR_WORKERS as JSON: URLs and objects. The cluster knows what may be in an object. */
const jsonSchema = z.array(
  withFiles(
    z.looseObject(
      {
        tls: withFiles(z.looseObject({}, 'must be an object'), [
          'ca',
          'cert',
          'key',
          'passphrase',
        ]).optional(),
      },
      'must be a URL or an object',
    ),
    ['token'],
  ),
);

/** The networks are for the cluster to check. */
const EVERYWHERE = NetworkPolicy.of(['0.0.0.0/0', '::/0'], []);

/** What the cluster would refuse. */
export function problemsOfWorkers(workers: readonly WorkerEntry[]): string[] {
  return workerProblems(workers, EVERYWHERE).map((problem) =>
    problem
      .replace(/^workers\[(\d+)\][.:] ?/, (_, i: string) => `entry ${Number(i) + 1}: `)
      .replace('set allowInsecureCredentials', 'set WORKER_INSECURE_CREDENTIALS=true'),
  );
}

/** DETECTOR_WORKERS: URLs with commas between them, or a JSON array of URLs and of objects with credentials. */
export const workersVariable = z
  .string()
  .transform((text, context): WorkerEntry[] => {
    if (!text.trimStart().startsWith('[')) return splitUrls(text);
    const json = readJson(z.array(z.unknown()), text);
    if (json === null) {
      context.addIssue({ code: 'custom', message: 'begins with "[" but is not valid JSON' });
      return z.NEVER;
    }
    const entries = json.map((entry) => (typeof entry === 'string' ? { url: entry } : entry));
    const parsed = jsonSchema.safeParse(entries);
    if (parsed.success) return parsed.data as unknown as WorkerEntry[];
    for (const { path, message } of parsed.error.issues) {
      const [index, ...fields] = path;
      const field = fields.length === 0 ? '' : `${fields.join('.')}: `;
      context.addIssue(`entry ${Number(index) + 1}: ${field}${message}`);
    }
    return z.NEVER;
  })
  .superRefine((entries, context) => {
    // Defaults may allow it, or add credentials.
    const allowed = entries.map((entry) => ({ allowInsecureCredentials: true, ...entry }));
    for (const problem of problemsOfWorkers(allowed)) context.addIssue(problem);
  });

function splitUrls(text: string): WorkerEntry[] {
  return text
    .split(',')
    .map((url) => ({ url: url.trim() }))
    .filter(({ url }) => url !== '');
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

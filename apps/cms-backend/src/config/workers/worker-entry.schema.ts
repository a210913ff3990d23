import { z } from 'zod';
import { readSecret } from '../secret-files.js';

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
export const workerEntrySchema = withFiles(
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

/** Takes `<field>File` for each of the fields, the path of a file that holds its value. */
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

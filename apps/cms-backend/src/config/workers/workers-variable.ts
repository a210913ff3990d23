import { z } from 'zod';
import { workerEntrySchema, type WorkerEntry } from './worker-entry.schema.js';
import { workerProblem } from './worker-problem.js';

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

/** Of an entry that is neither a URL nor an object that fits, what is wrong with the object. */
function deepest(issues: readonly z.core.$ZodIssue[]): { path: PropertyKey[]; message: string }[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [{ path: issue.path, message: messageOf(issue) }];
    const [, ofObject = []] = issue.errors;
    return ofObject.map((inner) => ({ path: [...issue.path, ...inner.path], message: messageOf(inner) }));
  });
}

/** Zod's own words for unknown keys are fine; those for wrong types name nothing that was given. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `has unknown ${issue.keys.join(', ')}` : issue.message;
}

function describe({ path: [index, ...fields], message }: { path: PropertyKey[]; message: string }): string {
  const where = typeof index === 'number' ? `entry ${index + 1}` : 'the list';
  return [where, fields.map(String).join('.'), message].filter((part) => part !== '').join(' ');
}

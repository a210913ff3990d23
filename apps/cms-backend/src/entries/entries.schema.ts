import { z } from 'zod';
import { flagQuery, idField, instantField } from '../http/fields.js';
import { usersSchema } from '../http/problem.js';

const perWorker = z.array(
  z.object({
    workerUrl: z
      .string()
      .nullable()
      .meta({ description: 'Null: no worker can take them, or the master did not answer' }),
    subscriptions: z.int(),
  }),
);

const impactSchema = z
  .object({
    starts: perWorker,
    restarts: perWorker.meta({ description: 'They get other parameters and stay on their worker' }),
    stops: perWorker,
    otherSteps: z.int().meta({ description: 'Cameras that the change does not name, and that move or stop' }),
    skipped: z
      .array(z.object({ displayId: z.string(), reason: z.string(), detail: z.string() }))
      .meta({ description: 'The first displays of the change that will have no subscription' }),
    skippedTotal: z.int(),
    complete: z.boolean().meta({ description: 'False: more displays depend on the change than are counted' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the workers are not known; null: the master has answered' }),
  })
  .meta({ id: 'Impact', description: 'What a change does to the subscriptions' });

export type Impact = z.infer<typeof impactSchema>;

/** Maximum number of items in one bulk request. */
const MAX_ITEMS = 1_000;

export const etagField = z
  .string()
  .max(64, 'must be the etag of an entry')
  .meta({ description: 'Version of the entry, as in the header ETag, without quotes' });

export const putQuerySchema = z.strictObject({
  dryRun: flagQuery('Write nothing; say what would be written, and what it does to the subscriptions'),
});

export const removeQuerySchema = z.strictObject({
  detach: flagQuery('Remove it although other entries refer to it; they stay without it'),
});

export type PutQuery = z.infer<typeof putQuerySchema>;
export type RemoveQuery = z.infer<typeof removeQuerySchema>;

/** The last fields of each entry in an answer. */
export const versionFields = { createdAt: instantField, updatedAt: instantField, etag: etagField };

/** An item of a bulk request for a kind whose entries have an id and a name. */
export function putByIdOrName<Fields extends z.ZodRawShape>(id: string, fields: Fields) {
  return z
    .strictObject({ ...fields, id: idField(), etag: etagField })
    .partial()
    .superRefine((item: { id?: unknown; name?: unknown }, context) => {
      if (item.id === undefined && item.name === undefined)
        context.addIssue({ code: 'custom', path: ['name'], message: 'must be given, unless id is' });
    })
    .meta({ id, description: 'Named by `id`, or else by `name`; with an `id`, `name` is its new name' });
}

/** Body of a bulk request. */
export function putRequestSchema<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .strictObject({
      items: z
        .array(item, 'must be an array')
        .min(1, 'must have at least 1 item')
        .max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`)
        .meta({ description: 'Entries to add or to change; members that are left out keep their value' }),
    })
    .meta({ id });
}

export const putResultSchema = z
  .object({
    dryRun: z.boolean(),
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    items: z.array(
      z.object({
        key: z.string(),
        outcome: z.enum(['created', 'changed', 'unchanged']),
        etag: z.string().nullable().meta({ description: 'Version before the change; null for a new entry' }),
      }),
    ),
    impact: impactSchema.nullable().meta({ description: 'Only of a dry run' }),
  })
  .meta({ id: 'PutResult' });

export type PutResult = z.infer<typeof putResultSchema>;
export type PutEntry = PutResult['items'][number];

export const removalSchema = z
  .object({ etag: etagField, usedBy: usersSchema, impact: impactSchema })
  .meta({ id: 'Removal', description: 'What the removal of an entry does' });

export type Removal = z.infer<typeof removalSchema>;

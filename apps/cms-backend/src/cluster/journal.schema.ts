import { z } from 'zod';
import { pageFields, pageSchema } from '../http/pagination.js';

const NOT_FROM_HERE = 'must be an id from this list';

const eventId = z.string().regex(/^\d{1,16}-\d{1,16}$/, NOT_FROM_HERE);

/** Ends with the partition, or with l for the listeners of a subscription. */
const letterId = z.string().regex(/^\d{1,16}-\d{1,16}-(?:\d{1,5}|l)$/, NOT_FROM_HERE);

export const eventsQuerySchema = z.strictObject({
  ...pageFields,
  cursor: eventId.optional().meta({
    description:
      '`nextCursor` of the page before, or the `eventId` after which to read; leave out for the latest events',
  }),
});

export const deadLettersQuerySchema = z.strictObject({
  ...pageFields,
  cursor: letterId.optional().meta(pageFields.cursor.meta() ?? {}),
});

export type DeadLettersQuery = z.infer<typeof deadLettersQuerySchema>;

export type EventsQuery = z.infer<typeof eventsQuerySchema>;

/** What an event says beyond this depends on its type. */
export const eventsSchema = pageSchema(
  'ClusterEvents',
  z.looseObject({
    eventId: z.string(),
    type: z.string().meta({ examples: ['camera-moved'] }),
    at: z.string(),
    term: z.number().meta({ description: 'Term of the master that recorded it' }),
  }),
);

export const deadLettersSchema = pageSchema(
  'DeadLetters',
  z.object({
    letterId: z.string(),
    detectionId: z.string(),
    workerUrl: z.string(),
    subscriptionIdentifier: z.string().nullable(),
    frame: z.string().meta({ description: 'The message of the worker, unchanged' }),
    audience: z.enum(['owner', 'listener']).meta({
      description: 'Whose callbacks failed: those for all detections, or those of the subscription',
    }),
    error: z.string(),
    attempts: z.int(),
    failedAt: z.string(),
    processId: z.string(),
  }),
);

export type DeadLettersView = z.infer<typeof deadLettersSchema>;

const ids = z.union([z.literal('all'), z.array(letterId).min(1).max(1_000)], {
  error: 'must be "all", or up to 1,000 letterIds',
});

export const replayRequestSchema = z.strictObject({ ids }).meta({ id: 'ReplayRequest' });

export const dropRequestSchema = z.strictObject({ ids }).meta({ id: 'DropRequest' });

export type LettersRequest = z.infer<typeof replayRequestSchema>;

const gone = z
  .array(z.string())
  .meta({ description: 'Ids without a letter; if no id has one, the answer is 404' });

export const replaySchema = z
  .object({
    replayed: z.int(),
    left: z
      .array(z.string())
      .meta({ description: 'Letters that stay because no callback is registered for them' }),
    gone,
  })
  .meta({ id: 'Replay' });

export const dropSchema = z
  .object({
    dropped: z.int(),
    left: z
      .array(z.string())
      .meta({ description: 'Letters that stay because they are about to be replayed' }),
    gone,
  })
  .meta({ id: 'Drop' });

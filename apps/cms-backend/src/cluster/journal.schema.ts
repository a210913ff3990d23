import type { RecordedClusterEvent } from '@detector-cluster/detector-cluster';
import { z } from 'zod';
import { cameraQuery, instantQuery } from '../http/fields.js';
import { pageFields, pageSchema, severalOf, textFilter } from '../http/pagination.js';

const NOT_FROM_HERE = 'must be an id from this list';

/** Ends with the partition, or with l for the listeners of a subscription. */
export const LETTER_ID = /^\d{1,16}-\d{1,16}-(?:\d{1,5}|l)$/;

export const EVENT_ID = /^\d{1,16}-\d{1,16}$/;

const letterId = z.string().regex(LETTER_ID, NOT_FROM_HERE);

type EventType = RecordedClusterEvent['type'];

const EVENT_TYPES = Object.keys({
  'master-acquired': true,
  'worker-online': true,
  'worker-offline': true,
  'worker-drained': true,
  'worker-quarantined': true,
  'worker-added': true,
  'worker-removed': true,
  'camera-moved': true,
  'camera-move-failed': true,
  'model-failed': true,
  'model-version': true,
  'model-rollout': true,
  'cluster-frozen': true,
  'cluster-thawed': true,
  'redis-unavailable': true,
  'database-unavailable': true,
  'database-available': true,
  'operator-action': true,
  'subscription-removed': true,
} satisfies Record<EventType, true>) as EventType[];

const EVENT_ORDERS = ['at', '-at'] as const;

export const eventsQuerySchema = z.strictObject({
  ...pageFields,
  sort: z
    .enum(EVENT_ORDERS, `must be one of ${EVENT_ORDERS.join(', ')}`)
    .optional()
    .meta({
      description:
        '`at`: oldest first. `-at`: newest first. Default: the latest events, oldest first on each page; `nextCursor` then leads to ' +
        'older events. With `after`: oldest first',
    }),
  after: z
    .string()
    .regex(EVENT_ID, 'must be an eventId')
    .optional()
    .meta({ description: 'Recorded after the event with this `eventId`' }),
  type: severalOf(EVENT_TYPES),
  text: textFilter.meta({ description: 'Only events with each of these words in their fields' }),
  worker: textFilter.meta({
    description:
      'URL of a worker. Only its own events, moves of cameras from it and to it, and actions of operators on it',
  }),
  from: instantQuery.optional().meta({ description: 'Recorded at or after this time' }),
  to: instantQuery.optional().meta({ description: 'Recorded before this time' }),
});

const LETTER_ORDERS = ['failedAt', '-failedAt'] as const;

const AUDIENCES = ['owner', 'listener'] as const;

export const deadLettersQuerySchema = z.strictObject({
  ...pageFields,
  sort: z
    .enum(LETTER_ORDERS, `must be one of ${LETTER_ORDERS.join(', ')}`)
    .default('failedAt')
    .meta({ description: '`failedAt`: oldest first. `-failedAt`: newest first' }),
  camera: cameraQuery,
  worker: textFilter.meta({ description: 'URL of the worker, or a part of it' }),
  audience: z
    .enum(AUDIENCES, `must be one of ${AUDIENCES.join(', ')}`)
    .optional()
    .meta({ description: 'Whose callbacks failed' }),
  text: textFilter.meta({ description: 'Only letters with this text in their error' }),
  from: instantQuery.optional().meta({ description: 'Failed at or after this time' }),
  to: instantQuery.optional().meta({ description: 'Failed before this time' }),
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
    audience: z.enum(AUDIENCES).meta({
      description: 'Whose callbacks failed: those for all detections, or those of the subscription',
    }),
    error: z.string(),
    attempts: z.int(),
    failedAt: z.string(),
    processId: z.string(),
  }),
);

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

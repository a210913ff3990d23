import type { DetectorClusterState } from '@detector-cluster/detector-cluster';
import { z } from 'zod';
import { flagQuery, instantField } from '../http/fields.js';
import { listQuerySchema, pageSchema, severalOf, textFilter } from '../http/pagination.js';

const percent = z
  .number()
  .nullable()
  .meta({ description: 'Percent; null when the worker does not report it, or does not report at all' });

export const WORKER_STATES = ['Connecting', 'Ready', 'Suspect', 'Offline', 'Quarantined'] as const;

/** Set by operators. */
export const STANDINGS = ['open', 'cordoned', 'draining'] as const;

export const workerSchema = z
  .looseObject({
    url: z.string().meta({ description: 'Without credentials' }),
    name: z.string().optional().meta({ description: 'What its operator calls it; left out: nothing' }),
    processId: z.string(),
    online: z.boolean(),
    state: z.enum(WORKER_STATES),
    problem: z.string().nullable().meta({
      description:
        'Why it is not ready: its last refused frame, or why there is no connection. Of a worker that is quarantined because it sends too much, that reason',
    }),
    excess: z
      .object({
        pauses: z.int().meta({ description: 'How often its socket was paused until the master had read' }),
        dropped: z
          .int()
          .meta({ description: 'Detections dropped beyond its rate or its part of the buffer' }),
        oversized: z.int().meta({ description: 'Detections refused because of their size' }),
      })
      .nullable()
      .meta({ description: 'What it has sent beyond its budget; null: nothing' }),
    standing: z.enum(STANDINGS).meta({ description: 'Set by operators' }),
    drainTotal: z.int().nullable().meta({
      description:
        'The most subscriptions that a draining worker had since its drain began; `subscriptionCount` of them are left',
    }),
    cpuUsage: percent,
    memoryUsage: percent,
    gpuUsage: percent,
    gpuMemoryUsage: percent,
    subscriptionCount: z.int().meta({ description: 'In its last report; 0 once it is Offline' }),
    subscriptions: z.array(z.string()),
    lastHeartbeat: z.string(),
    connectedAt: z.string().meta({ description: 'Empty while the master is not connected to it' }),
  })
  .meta({ id: 'ClusterWorker' });

const followerSchema = z
  .looseObject({
    processId: z.string(),
    online: z.boolean(),
    workload: z.int().meta({ description: 'Number of partitions that it owns' }),
    lastSeen: z.string(),
  })
  .meta({ id: 'ClusterProcess' });

/** The schema passes new members of the cluster's state through. */
export const clusterStateSchema = z
  .looseObject({
    processId: z.string(),
    isMaster: z.boolean().meta({ description: 'Whether the process that answers is the master' }),
    totalWorkers: z.int(),
    totalFollowers: z.int(),
    workers: z.array(workerSchema),
    followers: z.array(followerSchema),
    assignments: z.record(z.string(), z.string()).meta({ description: 'Partition → process that owns it' }),
    asOf: z.string().nullable().meta({
      description: 'When a master last confirmed this state; null when no master did in the last 24 h',
    }),
    stale: z.boolean().meta({ description: 'No master has confirmed this state for 10 s' }),
  })
  .meta({ id: 'ClusterState' });

/** The library keeps the names of its source documents. This API calls a process without the master's lease a follower. */
export function toClusterState(state: DetectorClusterState) {
  const { slaveId: _processId, totalSlaves, slaves, ...rest } = state;
  const followers = slaves.map(({ slaveId: _id, ...follower }) => follower);
  return { ...rest, totalFollowers: totalSlaves, followers };
}

const SUBSCRIPTION_STATUSES = ['active', 'pending', 'failed', 'recovering'] as const;

export const subscriptionSchema = z
  .object({
    subscriptionIdentifier: z.string(),
    assignedWorkerUrl: z.string().meta({ description: 'Empty while no worker is assigned' }),
    status: z.enum(SUBSCRIPTION_STATUSES),
    reason: z.string(),
    detail: z.string().optional().meta({ description: 'More about the reason, in the words of the worker' }),
    since: z.string().meta({ description: 'Since when the status holds' }),
    assignedAt: z.string(),
    lastSeen: z.string(),
  })
  .meta({ id: 'Subscription' });

const skippedSchema = z
  .object({
    displayId: z.string(),
    cameraId: z.string().optional().meta({ description: 'Left out without a usable camera' }),
    reason: z.string().meta({ examples: ['no-playlist'] }),
    detail: z.string(),
  })
  .meta({ id: 'SkippedDisplay', description: 'A display without a subscription, and why' });

export const subscriptionPageSchema = pageSchema('SubscriptionPage', subscriptionSchema);

export const skippedPageSchema = pageSchema('SkippedDisplayPage', skippedSchema);

export const subscriptionsQuerySchema = listQuerySchema(
  ['subscriptionIdentifier', 'assignedWorkerUrl', 'status', 'since'],
  {
    status: severalOf(SUBSCRIPTION_STATUSES),
    worker: textFilter.meta({
      description: 'Only subscriptions of workers with this text in their URL; `-`: those without a worker',
    }),
    text: textFilter.meta({
      description:
        'Only subscriptions with each of these words in their identifier, worker, reason or detail',
    }),
  },
  'by subscriptionIdentifier',
);

export const skippedQuerySchema = listQuerySchema(
  ['displayId', 'reason'],
  { reason: textFilter.meta({ description: 'Only displays that are skipped for this reason' }) },
  'by displayId',
);

export type SubscriptionsQuery = z.infer<typeof subscriptionsQuerySchema>;
export type SkippedQuery = z.infer<typeof skippedQuerySchema>;

/** The body of calls without parameters: it may be missing, and no member is allowed. */
export const emptyRequestSchema = z.strictObject({}).meta({ id: 'EmptyRequest' }).prefault({});

export type EmptyRequest = z.infer<typeof emptyRequestSchema>;

export const acceptedSchema = z.object({ accepted: z.boolean() }).meta({ id: 'Accepted' });

export type AcceptedView = z.infer<typeof acceptedSchema>;

export const rebalanceSchema = z
  .object({
    by: z.string().nullable().meta({ description: 'Who requested it; null: unknown' }),
    since: instantField.meta({ description: 'When the master began it' }),
    moved: z.int().meta({ description: 'Cameras that it has moved' }),
    left: z.int().meta({ description: 'Moves in flight and planned next; further ones may follow' }),
    endedAt: instantField.nullable().meta({ description: 'When its last move ended; null: it continues' }),
  })
  .meta({ id: 'Rebalance' });

export type RebalanceView = z.infer<typeof rebalanceSchema>;

export const planQuerySchema = z.strictObject({
  rebalance: flagQuery('Plan as after a requested rebalance, which also moves cameras within the limits'),
});

export type PlanQuery = z.infer<typeof planQuerySchema>;

const unitId = z.string().meta({ description: 'The camera, with all its subscriptions' });

const action = z.looseObject({ type: z.enum(['place', 'move', 'evict', 'abort']), unitId });

const held = z.looseObject({
  unitId,
  from: z.string(),
  to: z.string().nullable(),
  reason: z.string(),
  heldBy: z.string().meta({ description: 'Why the move waits', examples: ['cooldown'] }),
});

const move = z.looseObject({ unitId, from: z.string(), to: z.string() });

const rejectionCounts = z
  .record(z.string(), z.int())
  .meta({ description: 'Reason → number of workers that cannot take it for that reason' });

/** The schema passes new members of a capacity through. */
export const capacitySchema = z
  .looseObject({
    wantedWorkers: z.int().meta({ description: 'Workers that hold everything desired, for autoscalers' }),
    openWorkers: z.int().meta({ description: 'Workers that take cameras now' }),
    unplacedUnits: z.int().meta({ description: 'Cameras without a worker' }),
    unplacedLoad: z.number().meta({ description: 'Their cost' }),
    headroom: z.number().meta({ description: 'Cost for which open workers have room' }),
    models: z
      .array(z.looseObject({ model: z.string(), headroom: z.int() }))
      .meta({ description: 'How many further cameras of each model find a worker, at least' }),
    emptiestWorker: z.string().nullable().meta({
      description: 'The open worker with the least load, if the others have room for its cameras',
    }),
    emptiestWorkerName: z.string().optional().meta({ description: 'What its operator calls it' }),
  })
  .meta({ id: 'Capacity' });

/** The schema passes new members of a plan through. */
export const planSchema = z
  .looseObject({
    term: z.int().meta({ description: 'Term of the master that planned' }),
    actions: z.array(action),
    held: z.array(held).meta({ description: 'Planned moves that have not begun' }),
    moves: z.array(move).meta({ description: 'Moves in progress' }),
    unplaced: z.array(z.looseObject({ unitId, reasons: rejectionCounts })),
    scores: z.array(
      z.looseObject({
        url: z.string(),
        name: z.string().optional().meta({ description: 'What its operator calls it' }),
        load: z.number(),
        rejects: z.string().nullable(),
      }),
    ),
    balance: z.looseObject({ deviation: z.number(), spread: z.number(), rebalancing: z.boolean() }),
    capacity: capacitySchema,
    frozen: z.boolean().meta({
      description: 'Most workers disappeared at once, which suggests a network failure; nothing moves',
    }),
    omitted: z
      .looseObject({ actions: z.int(), held: z.int(), unplaced: z.int(), moves: z.int() })
      .meta({ description: 'Number of entries omitted from each list' }),
  })
  .meta({ id: 'Plan' });

/** The schema passes new members of an explanation through. */
export const explanationSchema = z
  .looseObject({
    subscriptionIdentifier: z.string(),
    unitId,
    subscriptions: z.array(z.string()),
    workerUrl: z.string().nullable().meta({ description: 'The worker that runs it; null: none' }),
    plannedUrl: z.string().nullable().meta({ description: 'The worker in the plan; null: none' }),
    moving: move.nullable(),
    actions: z.array(action),
    held: held.nullable(),
    unplaced: rejectionCounts.nullable(),
    workers: z.array(z.looseObject({ url: z.string(), score: z.number(), rejections: z.array(z.string()) })),
  })
  .meta({ id: 'SubscriptionExplanation' });

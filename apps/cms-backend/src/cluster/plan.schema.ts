import { z } from 'zod';

export const planQuerySchema = z.strictObject({
  rebalance: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .meta({ description: 'Plan as after a rebalance, which levels the load also within its limits' }),
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

/** New members of a plan pass through. */
export const planSchema = z
  .looseObject({
    term: z.int().meta({ description: 'Term of the master that planned' }),
    actions: z.array(action),
    held: z.array(held).meta({ description: 'Planned moves that have not begun' }),
    moves: z.array(move).meta({ description: 'Moves in progress' }),
    unplaced: z.array(z.looseObject({ unitId, reasons: rejectionCounts })),
    scores: z.array(z.looseObject({ url: z.string(), load: z.number(), rejects: z.string().nullable() })),
    balance: z.looseObject({ deviation: z.number(), spread: z.number(), levelling: z.boolean() }),
    frozen: z.boolean().meta({
      description: 'Most workers disappeared at once, which suggests a network failure; nothing moves',
    }),
    omitted: z
      .looseObject({ actions: z.int(), held: z.int(), unplaced: z.int(), moves: z.int() })
      .meta({ description: 'Number of entries omitted from each list' }),
  })
  .meta({ id: 'Plan' });

/** New members of an explanation pass through. */
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

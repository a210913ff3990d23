import { z } from 'zod';

export const planQuerySchema = z.strictObject({
  rebalance: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .meta({ description: 'The plan that levels the load although it is within its bands' }),
});

export type PlanQuery = z.infer<typeof planQuerySchema>;

const unitId = z.string().meta({ description: 'The camera, with all its subscriptions' });

const action = z.looseObject({ type: z.enum(['place', 'move', 'evict', 'abort']), unitId });

const held = z.looseObject({
  unitId,
  from: z.string(),
  to: z.string().nullable(),
  reason: z.string(),
  heldBy: z.string().meta({ description: 'What the move waits for', examples: ['cooldown'] }),
});

const move = z.looseObject({ unitId, from: z.string(), to: z.string() });

const rejectionCounts = z
  .record(z.string(), z.int())
  .meta({ description: 'Why no worker can take it, with the number of workers' });

/** New members of a plan pass through. */
export const planSchema = z
  .looseObject({
    term: z.int().meta({ description: 'Term of the master that planned' }),
    actions: z.array(action),
    held: z.array(held).meta({ description: 'Moves that are wanted but not begun' }),
    moves: z.array(move).meta({ description: 'Moves under way' }),
    unplaced: z.array(z.looseObject({ unitId, reasons: rejectionCounts })),
    scores: z.array(z.looseObject({ url: z.string(), load: z.number(), rejects: z.string().nullable() })),
    balance: z.looseObject({ deviation: z.number(), spread: z.number(), levelling: z.boolean() }),
    frozen: z.boolean().meta({ description: 'It seems to be the network that fails: nothing is moved' }),
    omitted: z
      .looseObject({ actions: z.int(), held: z.int(), unplaced: z.int(), moves: z.int() })
      .meta({ description: 'Entries that are left out of each list' }),
  })
  .meta({ id: 'Plan' });

/** New members of an explanation pass through. */
export const explanationSchema = z
  .looseObject({
    subscriptionIdentifier: z.string(),
    unitId,
    subscriptions: z.array(z.string()),
    workerUrl: z.string().nullable().meta({ description: 'Where it runs; null: nowhere' }),
    plannedUrl: z.string().nullable().meta({ description: 'Where by the plan; null: nowhere' }),
    moving: move.nullable(),
    actions: z.array(action),
    held: held.nullable(),
    unplaced: rejectionCounts.nullable(),
    workers: z.array(z.looseObject({ url: z.string(), score: z.number(), rejections: z.array(z.string()) })),
  })
  .meta({ id: 'SubscriptionExplanation' });

import { z } from 'zod';

const perWorker = z.array(
  z.object({
    workerUrl: z
      .string()
      .nullable()
      .meta({ description: 'Null: no worker can take them, or the master did not answer' }),
    subscriptions: z.int(),
  }),
);

export const impactSchema = z
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

import { z } from 'zod';
import { textField } from '../http/fields/fields.js';

export const updateWorkerSchema = z
  .strictObject({
    url: textField(2_048)
      .regex(/\S/, 'must not be empty')
      .meta({ description: 'Of a configured worker, with or without its credentials' }),
  })
  .meta({ id: 'UpdateWorker' });

export const workerStandingSchema = z
  .object({
    accepted: z.literal(true),
    changed: z.boolean().meta({ description: 'False: it was so before, at the wish of somebody else' }),
    standing: z.enum(['open', 'cordoned', 'draining']).meta({ description: 'What is wanted of it now' }),
    since: z.string().nullable().meta({ description: 'When that began; null for open' }),
  })
  .meta({ id: 'WorkerStanding' });

export type WorkerStandingView = z.infer<typeof workerStandingSchema>;

export type UpdateWorker = z.infer<typeof updateWorkerSchema>;

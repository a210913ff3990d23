import { z } from 'zod';
import { textField } from '../http/fields/fields.js';

export const updateWorkerSchema = z
  .strictObject({
    url: textField(2_048)
      .regex(/\S/, 'must not be empty')
      .meta({ description: 'URL of a configured worker, with or without its credentials' }),
  })
  .meta({ id: 'UpdateWorker' });

export const workerStandingSchema = z
  .object({
    accepted: z.literal(true),
    changed: z.boolean().meta({ description: 'False when the worker already had this standing' }),
    standing: z
      .enum(['open', 'cordoned', 'draining'])
      .meta({ description: 'The standing of the worker now' }),
    since: z.string().nullable().meta({ description: 'Since when; null for open' }),
  })
  .meta({ id: 'WorkerStanding' });

export type WorkerStandingView = z.infer<typeof workerStandingSchema>;

export type UpdateWorker = z.infer<typeof updateWorkerSchema>;

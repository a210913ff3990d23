import { z } from 'zod';
import { listQuerySchema, pageSchema, textFilter } from '../http/pagination.js';
import { STANDINGS, WORKER_STATES, workerSchema } from './cluster.schema.js';

/** The name of a worker in a path. */
export const workerParam = z
  .string()
  .min(1)
  .max(2_048, 'must be at most 2048 characters')
  // eslint-disable-next-line no-control-regex
  .regex(/^[^\u0000\p{Cs}]*$/u, 'must be valid text')
  .meta({
    description: 'URL of the worker without credentials, percent-encoded, or the host and port of its URL',
    examples: ['worker1:8000'],
  });

export const workersQuerySchema = listQuerySchema(['url', 'subscriptionCount'], {
  state: z.enum(WORKER_STATES, `must be one of ${WORKER_STATES.join(', ')}`).optional(),
  standing: z.enum(STANDINGS, `must be one of ${STANDINGS.join(', ')}`).optional(),
  text: textFilter.meta({ description: 'Only workers with this text in their URL' }),
});

export type WorkersQuery = z.infer<typeof workersQuerySchema>;

export const workerPageSchema = pageSchema('WorkerPage', workerSchema);

export const workerStandingSchema = z
  .object({
    accepted: z.literal(true),
    changed: z.boolean().meta({ description: 'False when the worker already had this standing' }),
    standing: z.enum(STANDINGS).meta({ description: 'The standing of the worker now' }),
    since: z.string().nullable().meta({ description: 'Since when; null for open' }),
  })
  .meta({ id: 'WorkerStanding' });

export type WorkerStandingView = z.infer<typeof workerStandingSchema>;

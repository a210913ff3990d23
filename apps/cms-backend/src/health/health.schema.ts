import { z } from 'zod';

const checkSchema = z
  .object({
    status: z.enum(['up', 'down']),
    reason: z.string().optional().meta({ description: 'Why it is down' }),
  })
  .meta({ id: 'HealthCheck' });

const electionCheckSchema = checkSchema
  .extend({
    status: z.enum(['up', 'degraded', 'down']),
    role: z.enum(['master', 'slave']),
    term: z.int().meta({ description: 'Highest term that this process has seen' }),
    leaderId: z.string().nullable(),
    leaseAge: z
      .number()
      .nullable()
      .meta({ description: 'On the master: milliseconds since the last confirmation of its lease was sent' }),
  })
  .meta({ id: 'ElectionHealthCheck', description: 'Degraded while nobody leads for a tolerable time' });

export const livenessSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

export const readinessSchema = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    nodeId: z.string(),
    isMaster: z.boolean(),
    checks: z.object({ database: checkSchema, redis: checkSchema, election: electionCheckSchema }),
  })
  .meta({ id: 'Readiness' });

export type HealthCheck = z.infer<typeof checkSchema>;
export type Liveness = z.infer<typeof livenessSchema>;
export type Readiness = z.infer<typeof readinessSchema>;

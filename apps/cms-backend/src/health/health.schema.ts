import { z } from 'zod';

const checkSchema = z
  .object({
    status: z.enum(['up', 'down']),
    reason: z.string().optional().meta({ description: 'Why it is down' }),
  })
  .meta({ id: 'HealthCheck' });

export const livenessSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

export const readinessSchema = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    nodeId: z.string(),
    isMaster: z.boolean(),
    checks: z.object({ database: checkSchema, redis: checkSchema, election: checkSchema }),
  })
  .meta({ id: 'Readiness' });

export type HealthCheck = z.infer<typeof checkSchema>;
export type Liveness = z.infer<typeof livenessSchema>;
export type Readiness = z.infer<typeof readinessSchema>;

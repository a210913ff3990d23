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
    role: z.enum(['master', 'follower']),
    term: z.int().meta({ description: 'Highest term that this process has seen' }),
    leaderId: z.string().nullable(),
    leaseAge: z
      .number()
      .nullable()
      .meta({ description: 'On the master: milliseconds since the last confirmation of its lease was sent' }),
  })
  .meta({ id: 'ElectionHealthCheck', description: 'Degraded during a short time without a master' });

const count = z.int().min(0);

const clusterCheckSchema = checkSchema
  .extend({
    status: z.enum(['up', 'degraded', 'down']),
    role: z.enum(['master', 'follower']),
    redis: z.enum(['readable', 'unreadable']),
    workers: z
      .object({ Connecting: count, Ready: count, Suspect: count, Offline: count, Quarantined: count })
      .nullable()
      .meta({
        description:
          'Number of workers by state, as last written by the master; null while Redis is unavailable',
      }),
    subscriptions: z
      .object({ active: count, pending: count, recovering: count, failed: count })
      .nullable()
      .meta({ description: 'By status' }),
    desired: count.nullable().meta({ description: 'Subscriptions that should run' }),
    backlog: count.meta({ description: 'Detections that wait in this process' }),
    retiredConnections: count.meta({
      description:
        'Connections to workers that this process keeps, open and silent, after its time as master',
    }),
    unreadableFor: z
      .number()
      .nullable()
      .meta({ description: 'For how long this process could not read its detections, in milliseconds' }),
  })
  .meta({
    id: 'ClusterHealthCheck',
    description:
      'Degraded when no worker is ready although subscriptions are desired: that is no reason to stop serving',
  });

export const livenessSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

export const readinessSchema = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    processId: z.string(),
    isMaster: z.boolean(),
    checks: z.object({
      database: checkSchema,
      redis: checkSchema,
      election: electionCheckSchema,
      cluster: clusterCheckSchema,
    }),
  })
  .meta({ id: 'Readiness' });

export type HealthCheck = z.infer<typeof checkSchema>;
export type Liveness = z.infer<typeof livenessSchema>;
export type Readiness = z.infer<typeof readinessSchema>;

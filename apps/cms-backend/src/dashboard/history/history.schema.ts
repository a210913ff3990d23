import { HISTORY_RANGES } from '@detector-cluster/dashboard-protocol';
import { z } from 'zod';

export const historyQuerySchema = z.strictObject({
  range: z
    .enum(HISTORY_RANGES, `must be one of ${HISTORY_RANGES.join(', ')}`)
    .default('15m')
    .meta({ description: 'How far back; each range ends now' }),
});

export type HistoryQuery = z.infer<typeof historyQuerySchema>;

const percent = z.number().nullable();

const historyPointSchema = z
  .object({
    at: z.string().meta({ description: 'When the interval began' }),
    detectionsPerSecond: z.number().nullable().meta({ description: 'Mean, of all processes' }),
    lagMs: z.number().nullable().meta({ description: 'Longest lag of a process' }),
    meanLoad: percent.meta({ description: 'Percent, of all workers' }),
    highestLoad: percent.meta({ description: 'Percent, of all workers' }),
    loads: z.array(percent).meta({
      description:
        'Mean load of each of `workers`: usage of the processor or of the GPU, the higher one. Percent',
    }),
    subscriptions: z
      .object({ active: z.number(), pending: z.number(), recovering: z.number(), failed: z.number() })
      .meta({ description: 'Mean number of subscriptions by status' }),
    failovers: z.int().meta({ description: 'Terms that began in this interval' }),
  })
  .meta({ id: 'HistoryPoint' });

export const historySchema = z
  .object({
    range: z.enum(HISTORY_RANGES),
    from: z.string(),
    to: z.string(),
    step: z.int().meta({ description: 'Length of an interval in milliseconds' }),
    workers: z.array(z.string()).meta({ description: 'At most 64 workers have a load of their own' }),
    points: z
      .array(historyPointSchema)
      .meta({ description: 'In the order of time; intervals without a master are missing' }),
  })
  .meta({ id: 'ClusterHistory' });

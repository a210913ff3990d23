import { z } from 'zod';

export const resignRequestSchema = z
  .strictObject({
    term: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .optional()
      .meta({ description: 'Only the master of this term; otherwise the one that leads at the moment' }),
  })
  .meta({ id: 'ResignRequest' })
  .prefault({});

export type ResignRequest = z.infer<typeof resignRequestSchema>;

export const resignationSchema = z
  .object({
    resigned: z.literal(true),
    term: z.int().meta({ description: 'The term that has ended' }),
    processId: z.string().meta({ description: 'The process that led it' }),
  })
  .meta({ id: 'Resignation' });

export type ResignationView = z.infer<typeof resignationSchema>;

import { z } from 'zod';

export const resignRequestSchema = z
  .strictObject({
    term: z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .optional()
      .meta({ description: 'Resign only the master of this term; leave out to resign the current master' }),
  })
  .meta({ id: 'ResignRequest' })
  .prefault({});

export type ResignRequest = z.infer<typeof resignRequestSchema>;

export const resignationSchema = z
  .object({
    resigned: z.literal(true),
    term: z.int().meta({ description: 'The term that has ended' }),
    processId: z.string().meta({ description: 'The master of that term' }),
  })
  .meta({ id: 'Resignation' });

export type ResignationView = z.infer<typeof resignationSchema>;

import { z } from 'zod';
import { textField } from '../http/fields/fields.js';

export const updateWorkerSchema = z
  .strictObject({
    url: textField(2_048)
      .regex(/\S/, 'must not be empty')
      .meta({ description: 'Of a configured worker, with or without its credentials' }),
  })
  .meta({ id: 'UpdateWorker' });

export type UpdateWorker = z.infer<typeof updateWorkerSchema>;

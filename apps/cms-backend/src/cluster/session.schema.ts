import { z } from 'zod';
import { instantField } from '../http/fields.js';
import { listQuerySchema, pageSchema } from '../http/pagination.js';

export const sessionsQuerySchema = listQuerySchema(
  ['createdAt', 'updatedAt'],
  {},
  'as they were first patched',
);

/** A session in a path, as the API sets it for a display. */
export const sessionIdParam = z.coerce.number('must be a whole number').int('must be a whole number');

export const storedSessionSchema = z
  .object({
    sessionId: z.int(),
    data: z
      .looseObject({})
      .meta({ description: 'The fields of all patches; a later patch replaces a field' }),
    workerUrl: z.string().meta({ description: 'The worker that sent the last patch' }),
    patches: z.int().meta({ description: 'How many patches were stored' }),
    createdAt: instantField.meta({ description: 'When the first patch was stored' }),
    updatedAt: instantField.meta({ description: 'When the last patch was stored' }),
  })
  .meta({ id: 'StoredSession', description: 'What workers have reported about a session' });

export const storedSessionPageSchema = pageSchema('StoredSessionPage', storedSessionSchema);

export type SessionsQuery = z.infer<typeof sessionsQuerySchema>;
export type StoredSessionView = z.infer<typeof storedSessionSchema>;

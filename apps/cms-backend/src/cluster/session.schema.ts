import { z } from 'zod';

export const updateSessionSchema = z
  .strictObject({ sessionId: z.int('must be a whole number or null').nullable() })
  .meta({ id: 'UpdateSession', description: 'Null ends the session' });

export const sessionSchema = z
  .object({ subscriptionIdentifier: z.string(), sessionId: z.int().nullable() })
  .meta({ id: 'Session', description: 'The session of all subscriptions of the display' });

export type UpdateSession = z.infer<typeof updateSessionSchema>;
export type SessionView = z.infer<typeof sessionSchema>;

import { z } from 'zod';

/** Ties a session to a display; null clears it. Applies to every subscription of that display. */
export const setSessionIdCommand = z.object({
  type: z.literal('setSessionId'),
  payload: z.object({ displayIdentifier: z.string().min(1), sessionId: z.int().nullable() }),
});

export type SetSessionIdCommand = z.infer<typeof setSessionIdCommand>;

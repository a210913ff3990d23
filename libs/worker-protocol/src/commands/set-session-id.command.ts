import { z } from 'zod';

export const setSessionIdCommand = z
  .object({
    type: z.literal('setSessionId'),
    payload: z.object({
      displayIdentifier: z
        .string()
        .min(1)
        .describe('The part of subscription identifiers before the `;`: the session is that of all of them.'),
      sessionId: z.int().nullable().describe('Null ends the session.'),
    }),
  })
  .describe('Master to worker: ties a session to a display.');

export type SetSessionIdCommand = z.infer<typeof setSessionIdCommand>;

import { z } from 'zod';

export const patchSessionMessage = z
  .looseObject({
    type: z.literal('patchSession'),
    sessionId: z.int().describe('As given by `setSessionId`.'),
    data: z
      .unknown()
      .optional()
      .describe('Any JSON value; its meaning is between the model and the application.'),
  })
  .describe(
    'Worker to master: the worker learned something about a session. It expects one `patchSessionResult`.',
  );

export type PatchSessionMessage = z.infer<typeof patchSessionMessage>;

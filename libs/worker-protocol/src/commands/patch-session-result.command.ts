import { z } from 'zod';

export const patchSessionResultCommand = z
  .object({
    type: z.literal('patchSessionResult'),
    payload: z.object({
      sessionId: z.int().describe('Of the `patchSession` message that is answered.'),
      success: z.boolean().describe('Whether the application has taken the patch.'),
      message: z.string().nullish().describe('Why it failed, or a remark.'),
    }),
  })
  .describe('Master to worker: the answer to one `patchSession` message.');

export type PatchSessionResultCommand = z.infer<typeof patchSessionResultCommand>;

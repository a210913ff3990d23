import { z } from 'zod';

/** Answer to one `patchSession` message. */
export const patchSessionResultCommand = z.object({
  type: z.literal('patchSessionResult'),
  payload: z.object({
    sessionId: z.int(),
    success: z.boolean(),
    /** Why it failed, or a remark. */
    message: z.string().nullish(),
  }),
});

export type PatchSessionResultCommand = z.infer<typeof patchSessionResultCommand>;

import { z } from 'zod';

/** The worker learned something about a session; it expects one `patchSessionResult`. */
export const patchSessionMessage = z.looseObject({
  type: z.literal('patchSession'),
  sessionId: z.int(),
  /** Any JSON value; its meaning is between the model and the application. */
  data: z.unknown().optional(),
});

export type PatchSessionMessage = z.infer<typeof patchSessionMessage>;

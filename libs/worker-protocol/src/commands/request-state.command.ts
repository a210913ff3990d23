import { z } from 'zod';

export const requestStateCommand = z
  .object({ type: z.literal('requestState') })
  .describe('Master to worker: send a state report now. Carries no payload.');

export type RequestStateCommand = z.infer<typeof requestStateCommand>;

import { z } from 'zod';

/** Asks for a state report now. Carries no payload. */
export const requestStateCommand = z.object({ type: z.literal('requestState') });

export type RequestStateCommand = z.infer<typeof requestStateCommand>;

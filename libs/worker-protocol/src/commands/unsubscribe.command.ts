import { z } from 'zod';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';

/** Ends one subscription; unknown identifiers are ignored. */
export const unsubscribeCommand = z.object({
  type: z.literal('unsubscribe'),
  payload: z.object({ subscriptionIdentifier: subscriptionIdentifierField }),
});

export type UnsubscribeCommand = z.infer<typeof unsubscribeCommand>;

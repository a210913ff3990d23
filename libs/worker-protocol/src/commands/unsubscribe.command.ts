import { z } from 'zod';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';

export const unsubscribeCommand = z
  .object({
    type: z.literal('unsubscribe'),
    payload: z.object({ subscriptionIdentifier: subscriptionIdentifierField }),
  })
  .describe(
    'Master to worker: ends one subscription. Identifiers that the worker does not hold are ignored.',
  );

export type UnsubscribeCommand = z.infer<typeof unsubscribeCommand>;

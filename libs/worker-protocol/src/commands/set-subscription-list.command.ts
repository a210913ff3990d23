import { z } from 'zod';
import { subscribeCommand } from './subscribe.command.js';

export const setSubscriptionListCommand = z
  .object({
    type: z.literal('setSubscriptionList'),
    payload: z.object({
      subscriptions: z
        .array(subscribeCommand.shape.payload)
        .describe('Everything that the worker holds from now on, each with the fields of `subscribe`.'),
    }),
  })
  .describe(
    'Master to worker, version 2 of the protocol: replaces all subscriptions. The worker starts what is new, replaces what has changed, ends what is missing and leaves the rest alone.',
  );

export type SetSubscriptionListCommand = z.infer<typeof setSubscriptionListCommand>;

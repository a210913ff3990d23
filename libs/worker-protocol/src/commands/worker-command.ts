import { z, type ZodType } from 'zod';
import type { PatchSessionResultCommand } from './patch-session-result.command.js';
import { patchSessionResultCommand } from './patch-session-result.command.js';
import type { RequestStateCommand } from './request-state.command.js';
import { requestStateCommand } from './request-state.command.js';
import type { SetSessionIdCommand } from './set-session-id.command.js';
import { setSessionIdCommand } from './set-session-id.command.js';
import type { SetSubscriptionListCommand } from './set-subscription-list.command.js';
import { setSubscriptionListCommand } from './set-subscription-list.command.js';
import type { SubscribeCommand } from './subscribe.command.js';
import { subscribeCommand } from './subscribe.command.js';
import type { UnsubscribeCommand } from './unsubscribe.command.js';
import { unsubscribeCommand } from './unsubscribe.command.js';

/** Any command from a master to a worker: `{ type, payload? }`. */
export type WorkerCommand =
  | SubscribeCommand
  | UnsubscribeCommand
  | SetSubscriptionListCommand
  | RequestStateCommand
  | SetSessionIdCommand
  | PatchSessionResultCommand;

export type WorkerCommandType = WorkerCommand['type'];

/** Wire schemas by type. They keep unknown fields, so that either side can be upgraded first. */
export const workerCommandSchemas = {
  subscribe: subscribeCommand
    .loose()
    .extend({ payload: subscribeCommand.shape.payload.loose() })
    .describe(subscribeCommand.description!),
  unsubscribe: unsubscribeCommand
    .loose()
    .extend({ payload: unsubscribeCommand.shape.payload.loose() })
    .describe(unsubscribeCommand.description!),
  setSubscriptionList: setSubscriptionListCommand
    .loose()
    .extend({
      payload: setSubscriptionListCommand.shape.payload.loose().extend({
        subscriptions: z
          .array(subscribeCommand.shape.payload.loose())
          .describe(setSubscriptionListCommand.shape.payload.shape.subscriptions.description!),
      }),
    })
    .describe(setSubscriptionListCommand.description!),
  requestState: requestStateCommand.loose().describe(requestStateCommand.description!),
  setSessionId: setSessionIdCommand
    .loose()
    .extend({ payload: setSessionIdCommand.shape.payload.loose() })
    .describe(setSessionIdCommand.description!),
  patchSessionResult: patchSessionResultCommand
    .loose()
    .extend({ payload: patchSessionResultCommand.shape.payload.loose() })
    .describe(patchSessionResultCommand.description!),
} satisfies Record<WorkerCommandType, ZodType>;

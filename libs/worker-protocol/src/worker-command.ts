import { z, type ZodObject, type ZodRawShape, type ZodType } from 'zod';
import { bootField, seqField, subscriptionIdentifierField } from './fields.js';

const edge = (which: string) =>
  z
    .int()
    .nonnegative()
    .optional()
    .describe(`${which} edge of the crop region, in pixels of the camera's frame; absent: the whole frame.`);

const subscribeCommand = z
  .object({
    type: z.literal('subscribe'),
    payload: z.object({
      subscriptionIdentifier: subscriptionIdentifierField,
      rtspUrl: z.string().min(1).describe('Address of the camera. It may hold credentials: never log it.'),
      modelUrl: z
        .string()
        .min(1)
        .describe(
          'Where to download the model; usually presigned, so it expires soon and differs with every command. Not part of the identity of a subscription.',
        ),
      modelName: z
        .string()
        .min(1)
        .describe('Name of the model, for people; reports and detections repeat it.'),
      modelId: z
        .int()
        .describe(
          'Identifies the model. A file downloaded for this id and `modelVersion` does not need to be downloaded again.',
        ),
      modelVersion: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe(
          "Of the model's file. Another version is another file: download it again. Absent: the master does not know it.",
        ),
      modelSize: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          "Of the model's file, in bytes. A file of another size is not the model. Not part of the identity.",
        ),
      modelSha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe("Of the model's file. A file with another one is not the model. Not part of the identity."),
      snapshotUrl: z.string().min(1).optional().describe('HTTP address of still pictures of the camera.'),
      snapshotInterval: z.int().nonnegative().optional().describe('Milliseconds between snapshots.'),
      fingerprint: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe(
          'Of all other fields but `modelUrl`, `modelSize` and `modelSha256`; a worker that repeats it in its reports shows what it really runs.',
        ),
      cropX1: edge('Left'),
      cropY1: edge('Upper'),
      cropX2: edge('Right'),
      cropY2: edge('Lower'),
    }),
  })
  .describe(
    'Master to worker: starts one subscription, or replaces the one with this identifier. The worker confirms by listing it in its state report.',
  );

export type SubscribeCommand = z.infer<typeof subscribeCommand>;
export type SubscribePayload = SubscribeCommand['payload'];

const setSubscriptionListCommand = z
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

const unsubscribeCommand = z
  .object({
    type: z.literal('unsubscribe'),
    payload: z.object({ subscriptionIdentifier: subscriptionIdentifierField }),
  })
  .describe(
    'Master to worker: ends one subscription. Identifiers that the worker does not hold are ignored.',
  );

export type UnsubscribeCommand = z.infer<typeof unsubscribeCommand>;

const requestStateCommand = z
  .object({ type: z.literal('requestState') })
  .describe('Master to worker: send a state report now. Carries no payload.');

export type RequestStateCommand = z.infer<typeof requestStateCommand>;

const setSessionIdCommand = z
  .object({
    type: z.literal('setSessionId'),
    payload: z.object({
      displayIdentifier: z
        .string()
        .min(1)
        .describe('The part of subscription identifiers before the `;`: the session is that of all of them.'),
      sessionId: z.int().nullable().describe('Null ends the session.'),
    }),
  })
  .describe('Master to worker: ties a session to a display.');

export type SetSessionIdCommand = z.infer<typeof setSessionIdCommand>;

const patchSessionResultCommand = z
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

const detectionsAcceptedCommand = z
  .object({
    type: z.literal('detectionsAccepted'),
    payload: z.object({
      boot: bootField,
      upTo: seqField.describe(
        'Highest `seq` that the worker does not need to send again; all lower ones are settled, too.',
      ),
    }),
  })
  .describe(
    'Master to worker: these detections are in the log, or were refused for good. Only to workers that number their detections.',
  );

export type DetectionsAcceptedCommand = z.infer<typeof detectionsAcceptedCommand>;

/** Any command from a master to a worker: `{ type, payload? }`. */
export type WorkerCommand =
  | SubscribeCommand
  | UnsubscribeCommand
  | SetSubscriptionListCommand
  | RequestStateCommand
  | SetSessionIdCommand
  | PatchSessionResultCommand
  | DetectionsAcceptedCommand;

export type WorkerCommandType = WorkerCommand['type'];

function loose<P extends ZodRawShape, S extends { payload: ZodObject<P> }>(command: ZodObject<S>) {
  return command.loose().extend({ payload: command.shape.payload.loose() }).describe(command.description!);
}

/** Wire schemas by type. They keep unknown fields, so that either side can be upgraded first. */
export const workerCommandSchemas = {
  subscribe: loose(subscribeCommand),
  unsubscribe: loose(unsubscribeCommand),
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
  setSessionId: loose(setSessionIdCommand),
  patchSessionResult: loose(patchSessionResultCommand),
  detectionsAccepted: loose(detectionsAcceptedCommand),
} satisfies Record<WorkerCommandType, ZodType>;

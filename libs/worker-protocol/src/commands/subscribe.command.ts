import { z } from 'zod';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';

const edge = (which: string) =>
  z
    .int()
    .nonnegative()
    .optional()
    .describe(`${which} edge of the crop region, in pixels of the camera's frame; absent: the whole frame.`);

export const subscribeCommand = z
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
          'Identifies the model. A model downloaded under this id does not need to be downloaded again.',
        ),
      snapshotUrl: z.string().min(1).optional().describe('HTTP address of still pictures of the camera.'),
      snapshotInterval: z.int().nonnegative().optional().describe('Milliseconds between snapshots.'),
      fingerprint: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe(
          'Of all other fields but `modelUrl`; a worker that repeats it in its reports shows what it really runs.',
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

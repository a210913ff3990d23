import { z } from 'zod';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';

const pixels = z.int().nonnegative().optional();

/** Starts, or replaces, one subscription. The worker confirms by listing it in its next state report. */
export const subscribeCommand = z.object({
  type: z.literal('subscribe'),
  payload: z.object({
    subscriptionIdentifier: subscriptionIdentifierField,
    /** Credentials may be part of it: never log it. */
    rtspUrl: z.string().min(1),
    /** Download address of the model, usually presigned and short-lived. */
    modelUrl: z.string().min(1),
    modelName: z.string().min(1),
    modelId: z.int(),
    snapshotUrl: z.string().min(1).optional(),
    /** Milliseconds between snapshots. */
    snapshotInterval: z.int().nonnegative().optional(),
    /** Crop region in pixels of the camera's frame; absent means the whole frame. */
    cropX1: pixels,
    cropY1: pixels,
    cropX2: pixels,
    cropY2: pixels,
  }),
});

export type SubscribeCommand = z.infer<typeof subscribeCommand>;
export type SubscribePayload = SubscribeCommand['payload'];

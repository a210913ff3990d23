import { z } from 'zod';
import { detectionField } from '../fields/detection.field.js';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';
import { timestampField } from '../fields/timestamp.field.js';

export const imageDetectionMessage = z
  .looseObject({
    type: z.literal('imageDetection'),
    subscriptionIdentifier: subscriptionIdentifierField,
    timestamp: timestampField,
    data: z.looseObject({
      detection: detectionField
        .nullish()
        .describe('What the model saw; null, absent or empty when it looked and found nothing.'),
      modelId: z.int().describe('As in the `subscribe` command.'),
      modelName: z.string().describe('As in the `subscribe` command.'),
    }),
  })
  .describe('Worker to master: one analysed frame of one subscription.');

export type ImageDetectionMessage = z.infer<typeof imageDetectionMessage>;

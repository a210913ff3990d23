import { z } from 'zod';
import { detectionField } from '../fields/detection.field.js';
import { subscriptionIdentifierField } from '../fields/subscription-identifier.field.js';
import { timestampField } from '../fields/timestamp.field.js';

/** One analysed frame of one subscription. */
export const imageDetectionMessage = z.looseObject({
  type: z.literal('imageDetection'),
  subscriptionIdentifier: subscriptionIdentifierField,
  timestamp: timestampField,
  data: z.looseObject({
    /** Null, missing or empty when the model looked and found nothing. */
    detection: detectionField.nullish(),
    modelId: z.int(),
    modelName: z.string(),
  }),
});

export type ImageDetectionMessage = z.infer<typeof imageDetectionMessage>;

import { z } from 'zod';
import { instantField, textField } from '../../http/fields/fields.js';
import { pageFields, pageSchema } from '../../http/pagination.js';
import { labelKey } from './detection-row.js';

const instant = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-11-24T10:00:00Z' })
  .transform((text) => new Date(text));

export const storedQuerySchema = z.strictObject({
  ...pageFields,
  camera: textField(256).min(1).optional().meta({ description: '`cameraIdentifier`' }),
  label: textField(128)
    .refine((text) => labelKey(text) !== '', 'must have a letter or a digit')
    .optional()
    .meta({
      description: 'Part of a plate or label. Only letters and digits count, in upper or lower case',
    }),
  from: instant.optional().meta({ description: 'Detected at or after this time' }),
  to: instant.optional().meta({ description: 'Detected before this time' }),
});

export type StoredQuery = z.infer<typeof storedQuerySchema>;

const share = z.number().min(0).max(1);

const storedDetectionSchema = z
  .object({
    detectionId: z.string(),
    subscriptionIdentifier: z.string(),
    workerUrl: z.string(),
    nodeId: z.string().meta({ description: 'The process whose callback it reached' }),
    detectedAt: instantField.meta({ description: 'When the worker made the detection' }),
    receivedAt: instantField.meta({ description: 'When it reached that process' }),
    redelivered: z.boolean().meta({ description: 'Whether it may have been processed before' }),
    label: z.string().nullable().meta({ description: 'Plate or label' }),
    confidence: z.number().nullable(),
    boxes: z.array(z.array(share)).meta({
      description: 'Left, top, width and height as fractions of the picture',
    }),
    pictureId: z.string().nullable(),
    summary: z.string().meta({ description: 'What the worker reported, as JSON cut to 500 characters' }),
  })
  .meta({ id: 'StoredDetection' });

export type StoredDetectionView = z.infer<typeof storedDetectionSchema>;

export const storedPageSchema = pageSchema('StoredDetectionPage', storedDetectionSchema);

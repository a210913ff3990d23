import { z } from 'zod';
import { checkCrop, checkCropChange, cropInput, cropOutput } from '../http/fields/crop.js';
import { identifierField, instantField } from '../http/fields/fields.js';
import { etagField, putRequestSchema } from '../entries/entries.schema.js';
import { listQuerySchema, pageSchema, textFilter } from '../http/pagination.js';
import { checkNotEmpty } from '../http/fields/patch.js';
import { urlField } from './url-field.js';

const DAY = 86_400_000;

const fields = {
  cameraIdentifier: identifierField().meta({ examples: ['cam-001'] }),
  rtspUrl: urlField('rtsp:', 'rtsps:', 'http:', 'https:').meta({
    examples: ['rtsp://user:password@192.0.2.10:554/stream1'],
  }),
  snapshotUrl: urlField('http:', 'https:').nullish(),
  snapshotInterval: z
    .int('must be a whole number')
    .min(100, 'must be at least 100 (milliseconds)')
    .max(DAY, `must be at most ${DAY} (milliseconds)`)
    .nullish()
    .meta({ description: 'Milliseconds' }),
  ...cropInput,
};

export const createCameraSchema = z.strictObject(fields).superRefine(checkCrop).meta({ id: 'CreateCamera' });

export const updateCameraSchema = z
  .strictObject(fields)
  .partial()
  .superRefine(checkNotEmpty)
  .superRefine(checkCropChange)
  .meta({ id: 'UpdateCamera' });

const putCameraSchema = z
  .strictObject({ ...fields, rtspUrl: fields.rtspUrl.optional(), etag: etagField.optional() })
  .superRefine(checkCropChange)
  .meta({
    id: 'PutCamera',
    description: 'A new camera needs `rtspUrl`; leave it out to keep the stored URL',
  });

export const putCamerasSchema = putRequestSchema('PutCamerasRequest', putCameraSchema);

export const camerasQuerySchema = listQuerySchema(['cameraIdentifier', 'createdAt', 'updatedAt'], {
  text: textFilter.meta({ description: 'Only cameras with this text in their identifier' }),
});

export const cameraSchema = z
  .object({
    cameraIdentifier: z.string(),
    rtspUrl: z.string().meta({ description: 'Possible secrets are replaced with ***' }),
    snapshotUrl: z.string().nullable().meta({ description: 'Possible secrets are replaced with ***' }),
    snapshotInterval: z.int().nullable().meta({ description: 'Milliseconds' }),
    ...cropOutput,
    createdAt: instantField,
    updatedAt: instantField,
    etag: etagField,
  })
  .meta({ id: 'Camera' });

export const cameraPageSchema = pageSchema('CameraPage', cameraSchema);

export type CreateCamera = z.infer<typeof createCameraSchema>;
export type UpdateCamera = z.infer<typeof updateCameraSchema>;
export type PutCamera = z.infer<typeof putCameraSchema>;
export type PutCameras = z.infer<typeof putCamerasSchema>;
export type CamerasQuery = z.infer<typeof camerasQuerySchema>;
export type CameraView = z.infer<typeof cameraSchema>;

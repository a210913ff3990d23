import { z } from 'zod';
import {
  checkCrop,
  checkCropChange,
  checkNotEmpty,
  cropInput,
  cropOutput,
  identifierField,
  identifierParam,
  idField,
  idParam,
  instantField,
  textField,
} from '../http/fields.js';
import { etagField, putRequestSchema } from '../entries/entries.schema.js';
import { listQuerySchema, pageSchema, textFilter } from '../http/pagination.js';

const fields = {
  displayId: identifierField().meta({ examples: ['display-001'] }),
  name: textField(256).optional(),
  cameraIdentifier: identifierField().nullish().meta({ description: 'The camera this display follows' }),
  playlistId: idField()
    .nullish()
    .meta({ description: 'Its playlist; the model of the playlist analyses the camera' }),
  ...cropInput,
};

export const createDisplaySchema = z
  .strictObject(fields)
  .superRefine(checkCrop)
  .meta({ id: 'CreateDisplay' });

export const updateDisplaySchema = z
  .strictObject(fields)
  .partial()
  .superRefine(checkNotEmpty)
  .superRefine(checkCropChange)
  .meta({ id: 'UpdateDisplay' });

const putDisplaySchema = z
  .strictObject({ ...fields, etag: etagField.optional() })
  .superRefine(checkCropChange)
  .meta({ id: 'PutDisplay' });

export const putDisplaysSchema = putRequestSchema('PutDisplaysRequest', putDisplaySchema);

export const displaysQuerySchema = listQuerySchema(['displayId', 'name', 'createdAt', 'updatedAt'], {
  text: textFilter.meta({ description: 'Only displays with this text in their identifier or name' }),
  cameraIdentifier: identifierParam.optional().meta({ description: 'Only displays of this camera' }),
  playlistId: idParam.optional().meta({ description: 'Only displays of this playlist' }),
});

export const displaySchema = z
  .object({
    displayId: z.string(),
    name: z.string(),
    cameraIdentifier: z.string().nullable(),
    playlistId: z.int().nullable(),
    ...cropOutput,
    createdAt: instantField,
    updatedAt: instantField,
    etag: etagField,
  })
  .meta({ id: 'Display', description: 'The crop of a display replaces the crop of its camera' });

export const displayPageSchema = pageSchema('DisplayPage', displaySchema);

export type CreateDisplay = z.infer<typeof createDisplaySchema>;
export type UpdateDisplay = z.infer<typeof updateDisplaySchema>;
export type PutDisplays = z.infer<typeof putDisplaysSchema>;
export type DisplaysQuery = z.infer<typeof displaysQuerySchema>;
export type DisplayView = z.infer<typeof displaySchema>;

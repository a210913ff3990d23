import { z } from 'zod';
import type { Display } from '../generated/prisma/client.js';
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
  textField,
  withInstants,
} from '../http/fields.js';
import { containing, listQuerySchema, textFilter } from '../http/pagination.js';
import { etagField, versionFields } from './entries.schema.js';
import type { EntryKind } from './entry-kind.js';

const fields = {
  displayId: identifierField().meta({ examples: ['display-001'] }),
  name: textField(256).optional(),
  cameraIdentifier: identifierField().nullish().meta({ description: 'The camera this display follows' }),
  playlistId: idField()
    .nullish()
    .meta({ description: 'Its playlist; the model of the playlist analyses the camera' }),
  ...cropInput,
};

interface Filters {
  readonly text?: string;
  readonly cameraIdentifier?: string;
  readonly playlistId?: number;
}

/** The displays. The subscriptions follow from the stored rows. */
export const displayKind: EntryKind<Display> = {
  name: 'display',
  pathKey: 'displayId',
  pathSchema: identifierParam,
  nameKey: 'displayId',
  references: [
    { field: 'cameraIdentifier', to: 'camera', key: 'cameraIdentifier' },
    { field: 'playlistId', to: 'playlist', key: 'id' },
  ],
  users: null,
  toView: ({ id: _id, ...row }) => withInstants(row),
  where: ({ text = '', cameraIdentifier, playlistId }: Filters) => ({
    OR: [{ displayId: containing(text) }, { name: containing(text) }],
    cameraIdentifier,
    playlistId,
  }),
  schemas: {
    view: z
      .object({
        displayId: z.string(),
        name: z.string(),
        cameraIdentifier: z.string().nullable(),
        playlistId: z.int().nullable(),
        ...cropOutput,
        ...versionFields,
      })
      .meta({ id: 'Display', description: 'The crop of a display replaces the crop of its camera' }),
    create: z.strictObject(fields).superRefine(checkCrop).meta({ id: 'CreateDisplay' }),
    update: z
      .strictObject(fields)
      .partial()
      .superRefine(checkNotEmpty)
      .superRefine(checkCropChange)
      .meta({ id: 'UpdateDisplay' }),
    put: z
      .strictObject({ ...fields, etag: etagField.optional() })
      .superRefine(checkCropChange)
      .meta({ id: 'PutDisplay' }),
    query: listQuerySchema(['displayId', 'name', 'createdAt', 'updatedAt'], {
      text: textFilter.meta({ description: 'Only displays with this text in their identifier or name' }),
      cameraIdentifier: identifierParam.optional().meta({ description: 'Only displays of this camera' }),
      playlistId: idParam.optional().meta({ description: 'Only displays of this playlist' }),
    }),
  },
};

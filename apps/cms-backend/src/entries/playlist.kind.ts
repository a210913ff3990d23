import { z } from 'zod';
import type { Playlist } from '../generated/prisma/client.js';
import { checkNotEmpty, idField, idParam, nameField, withInstants } from '../http/fields.js';
import { containing, listQuerySchema, textFilter } from '../http/pagination.js';
import { putByIdOrName, versionFields } from './entries.schema.js';
import type { EntryKind } from './entry-kind.js';

const fields = {
  name: nameField().meta({ examples: ['drive-through'] }),
  modelId: idField().nullish().meta({ description: 'The model that analyses the cameras of its displays' }),
};

export const playlistKind: EntryKind<Playlist> = {
  name: 'playlist',
  pathKey: 'id',
  pathSchema: idParam,
  nameKey: 'name',
  references: [{ field: 'modelId', to: 'model', key: 'id' }],
  users: { kind: 'display', field: 'playlistId', nameKey: 'displayId' },
  toView: withInstants,
  where: ({ text = '', modelId }: { text?: string; modelId?: number }) => ({
    name: containing(text),
    modelId,
  }),
  schemas: {
    view: z
      .object({ id: z.int(), name: z.string(), modelId: z.int().nullable(), ...versionFields })
      .meta({ id: 'Playlist' }),
    create: z.strictObject(fields).meta({ id: 'CreatePlaylist' }),
    update: z.strictObject(fields).partial().superRefine(checkNotEmpty).meta({ id: 'UpdatePlaylist' }),
    put: putByIdOrName('PutPlaylist', fields),
    query: listQuerySchema(['name', 'createdAt', 'updatedAt'], {
      text: textFilter.meta({ description: 'Only playlists with this text in their name' }),
      modelId: idParam.optional().meta({ description: 'Only playlists of this model' }),
    }),
  },
};

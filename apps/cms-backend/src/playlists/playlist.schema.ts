import { z } from 'zod';
import { checkNotEmpty, idField, idParam, instantField, nameField } from '../http/fields.js';
import { checkNamed, etagField, putRequestSchema } from '../entries/entries.schema.js';
import { listQuerySchema, pageSchema, textFilter } from '../http/pagination.js';

const fields = {
  name: nameField().meta({ examples: ['drive-through'] }),
  modelId: idField().nullish().meta({ description: 'The model that analyses the cameras of its displays' }),
};

export const createPlaylistSchema = z.strictObject(fields).meta({ id: 'CreatePlaylist' });

export const updatePlaylistSchema = z
  .strictObject(fields)
  .partial()
  .superRefine(checkNotEmpty)
  .meta({ id: 'UpdatePlaylist' });

const putPlaylistSchema = z
  .strictObject({ ...fields, id: idField(), etag: etagField })
  .partial()
  .superRefine(checkNamed)
  .meta({
    id: 'PutPlaylist',
    description: 'Named by `id`, or else by `name`; with an `id`, `name` is its new name',
  });

export const putPlaylistsSchema = putRequestSchema('PutPlaylistsRequest', putPlaylistSchema);

export const playlistsQuerySchema = listQuerySchema(['name', 'createdAt', 'updatedAt'], {
  text: textFilter.meta({ description: 'Only playlists with this text in their name' }),
  modelId: idParam.optional().meta({ description: 'Only playlists of this model' }),
});

export const playlistSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    modelId: z.int().nullable(),
    createdAt: instantField,
    updatedAt: instantField,
    etag: etagField,
  })
  .meta({ id: 'Playlist' });

export const playlistPageSchema = pageSchema('PlaylistPage', playlistSchema);

export type CreatePlaylist = z.infer<typeof createPlaylistSchema>;
export type UpdatePlaylist = z.infer<typeof updatePlaylistSchema>;
export type PutPlaylists = z.infer<typeof putPlaylistsSchema>;
export type PlaylistsQuery = z.infer<typeof playlistsQuerySchema>;
export type PlaylistView = z.infer<typeof playlistSchema>;

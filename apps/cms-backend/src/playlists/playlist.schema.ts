import { z } from 'zod';
import { idField, instantField, nameField } from '../http/fields/fields.js';
import { pageSchema } from '../http/pagination.js';
import { checkNotEmpty } from '../http/fields/patch.js';

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

export const playlistSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    modelId: z.int().nullable(),
    createdAt: instantField,
    updatedAt: instantField,
  })
  .meta({ id: 'Playlist' });

export const playlistPageSchema = pageSchema('PlaylistPage', playlistSchema);

export type CreatePlaylist = z.infer<typeof createPlaylistSchema>;
export type UpdatePlaylist = z.infer<typeof updatePlaylistSchema>;
export type PlaylistView = z.infer<typeof playlistSchema>;

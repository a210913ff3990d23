import { displaysWith, type EntryKind, type Rows } from '../entries/entry-kind.js';
import type { Playlist } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';

const toView = (row: Playlist) => withInstants(row);

/** How playlists are stored, and what refers to them. */
export const playlistKind: EntryKind<Playlist, ReturnType<typeof toView>> = {
  name: 'playlist',
  rows: (client) => client.playlist as unknown as Rows<Playlist>,
  pathKey: 'id',
  nameKey: 'name',
  toView,
  required: [],
  references: [{ field: 'modelId', rows: (client) => client.model as unknown as Rows<object>, key: 'id' }],
  users: (client, { id }) => displaysWith(client, { playlistId: id }),
  changed: (rows) => ({ playlists: rows.map(({ id }) => id) }),
};

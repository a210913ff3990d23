import { USERS_LISTED, type EntryKind, type Rows } from '../entries/entry-kind.js';
import type { Model } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';

const toView = (row: Model) => withInstants(row);

/** How models are stored, and what refers to them. */
export const modelKind: EntryKind<Model, ReturnType<typeof toView>> = {
  name: 'model',
  rows: (client) => client.model as unknown as Rows<Model>,
  pathKey: 'id',
  nameKey: 'name',
  toView,
  required: ['fileKey'],
  references: [],
  users: async (client, { id }) => {
    const where = { modelId: id };
    const playlists = await client.playlist.findMany({ where, take: USERS_LISTED, orderBy: { name: 'asc' } });
    return {
      total: await client.playlist.count({ where }),
      items: playlists.map(({ name }) => ({ kind: 'playlist' as const, key: name })),
    };
  },
  changed: (rows) => ({ models: rows.map(({ id }) => id) }),
};

import type { EntryKind, Rows } from '../entries/entry-kind.js';
import type { Display } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';

const toView = ({ id: _id, ...row }: Display) => withInstants(row);

/** How displays are stored. Nothing refers to a display. */
export const displayKind: EntryKind<Display, ReturnType<typeof toView>> = {
  name: 'display',
  rows: (client) => client.display as unknown as Rows<Display>,
  pathKey: 'displayId',
  nameKey: 'displayId',
  toView,
  required: [],
  references: [
    {
      field: 'cameraIdentifier',
      rows: (client) => client.camera as unknown as Rows<object>,
      key: 'cameraIdentifier',
    },
    { field: 'playlistId', rows: (client) => client.playlist as unknown as Rows<object>, key: 'id' },
  ],
  users: null,
  changed: (rows) => ({ displays: rows.map(({ displayId }) => displayId) }),
};

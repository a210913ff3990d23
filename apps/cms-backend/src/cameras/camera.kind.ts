import { displaysWith, type EntryKind, type Rows } from '../entries/entry-kind.js';
import type { Camera } from '../generated/prisma/client.js';
import type { CameraNetworks } from './camera-networks.js';
import type { PutCamera } from './camera.schema.js';
import { toCameraView } from './camera.view.js';

/** How cameras are stored, and what refers to them. */
export const cameraKind = (networks: CameraNetworks): EntryKind<Camera, ReturnType<typeof toCameraView>> => ({
  name: 'camera',
  rows: (client) => client.camera as unknown as Rows<Camera>,
  pathKey: 'cameraIdentifier',
  nameKey: 'cameraIdentifier',
  toView: toCameraView,
  required: ['rtspUrl'],
  references: [],
  check: (item) => networks.problemsOf(item as PutCamera),
  users: (client, { cameraIdentifier }) => displaysWith(client, { cameraIdentifier }),
  changed: (rows) => ({ cameras: rows.map(({ cameraIdentifier }) => cameraIdentifier) }),
});

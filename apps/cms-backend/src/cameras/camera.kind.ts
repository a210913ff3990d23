import { redactCameraUrl } from '@detector-cluster/detector-cluster/redact';
import { displaysWith, type EntryKind, type Rows } from '../entries/entry-kind.js';
import type { Camera } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';
import type { CameraNetworks } from './camera-networks.js';
import type { PutCamera } from './camera.schema.js';

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

/** A camera as the API shows it: without secrets. */
function toCameraView({ id: _id, ...camera }: Camera) {
  return {
    ...withInstants(camera),
    rtspUrl: redactCameraUrl(camera.rtspUrl),
    snapshotUrl: camera.snapshotUrl === null ? null : redactCameraUrl(camera.snapshotUrl),
  };
}

import { redactCameraUrl } from '@detector-cluster/detector-cluster';
import type { Camera } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';

/** A camera as the API shows it: without secrets. */
export function toCameraView({ id: _id, ...camera }: Camera) {
  return {
    ...withInstants(camera),
    rtspUrl: redactCameraUrl(camera.rtspUrl),
    snapshotUrl: camera.snapshotUrl === null ? null : redactCameraUrl(camera.snapshotUrl),
  };
}

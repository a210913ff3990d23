import { redactCameraUrl } from '@detector-cluster/detector-cluster';
import type { Camera } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';
import type { CameraView } from './camera.schema.js';

/** A camera as the API shows it: without secrets. */
export function toCameraView(camera: Camera): CameraView {
  return {
    ...withInstants(camera),
    rtspUrl: redactCameraUrl(camera.rtspUrl),
    snapshotUrl: camera.snapshotUrl === null ? null : redactCameraUrl(camera.snapshotUrl),
  };
}

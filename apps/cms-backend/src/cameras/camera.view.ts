import type { Camera } from '../generated/prisma/client.js';
import { withInstants } from '../http/fields/with-instants.js';
import type { CameraView } from './camera.schema.js';
import { redactUrl } from './url-secret.js';

/** A camera as the API shows it: without secrets. */
export function toCameraView(camera: Camera): CameraView {
  return {
    ...withInstants(camera),
    rtspUrl: redactUrl(camera.rtspUrl),
    snapshotUrl: camera.snapshotUrl === null ? null : redactUrl(camera.snapshotUrl),
  };
}

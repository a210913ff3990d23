/** Why a worker's answer is not an image; a small fixed set. */
export type CameraImageProblem =
  /** The worker has no frame of the camera yet, or no longer has it. */
  | 'no-frame'
  | 'timeout'
  /** The worker cannot be reached, or ended the connection. */
  | 'unreachable'
  /** The worker answered with another status than 200 and 404. */
  | 'refused'
  | 'not-a-jpeg'
  | 'too-large';

/** The worker that runs the camera has not given an image of it. */
export class CameraImageError extends Error {
  override readonly name = 'CameraImageError';
  readonly code = 'CAMERA_IMAGE';

  constructor(
    readonly subscriptionIdentifier: string,
    /** Without credentials. */
    readonly workerUrl: string,
    readonly problem: CameraImageProblem,
    detail: string,
  ) {
    super(`no image of ${subscriptionIdentifier} from ${workerUrl}: ${detail}`);
  }
}

/** No online worker runs the camera, so none has its image. */
export class CameraNotHostedError extends Error {
  override readonly name = 'CameraNotHostedError';
  readonly code = 'CAMERA_NOT_HOSTED';

  constructor(
    /** The identifier of the call: a subscription or a camera. */
    readonly identifier: string,
  ) {
    super(`no worker that is online runs ${identifier}`);
  }
}

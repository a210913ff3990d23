/** No worker that is online shows the camera's stream, so that there is nowhere to ask for its image. */
export class CameraNotHostedError extends Error {
  override readonly name = 'CameraNotHostedError';
  readonly code = 'CAMERA_NOT_HOSTED';

  constructor(
    /** As asked for: a subscription or a camera. */
    readonly identifier: string,
  ) {
    super(`no worker that is online runs ${identifier}`);
  }
}

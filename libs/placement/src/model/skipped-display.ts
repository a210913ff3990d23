/** Why a row of the source yields no subscription. */
export type SkipReason =
  | 'malformed-row'
  | 'invalid-display-id'
  | 'no-camera'
  | 'invalid-camera-id'
  | 'invalid-rtsp-url'
  | 'invalid-snapshot'
  | 'no-playlist'
  | 'playlist-without-model'
  | 'invalid-model'
  | 'invalid-crop'
  | 'forbidden-address'
  | 'requester-ended'
  | 'duplicate';

/** A display that yields no subscription, and why. Free of credentials. */
export interface SkippedDisplay {
  /** Empty if the row has none or it cannot be read. */
  readonly displayId: string;
  /** The camera of the display; left out: it has none, or one whose identifier is not usable. */
  readonly cameraId?: string;
  readonly reason: SkipReason;
  /** For people. */
  readonly detail: string;
}

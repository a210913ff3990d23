import type { ChangedRows } from './changed-rows.js';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';

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
  | 'duplicate';

/** A display that yields no subscription, and why. Free of credentials. */
export interface SkippedDisplay {
  /** Empty if the row has none or it cannot be read. */
  readonly displayId: string;
  readonly reason: SkipReason;
  /** For people. */
  readonly detail: string;
}

/** One consistent snapshot of the desired state. */
export interface DesiredState {
  readonly subscriptions: DesiredCameraSubscription[];
  readonly skipped: SkippedDisplay[];
}

/** The source of the desired state. Skips a bad row with a reason; rejects only if the source cannot be read. */
export interface DesiredStateSource {
  read(): Promise<DesiredState>;
  /**
   * Optional, for very many displays: returns the part of `read` for the named displays, and for those that refer to a named
   * camera, playlist or model. A named display without a subscription and without an entry in `skipped` no longer exists.
   */
  readSome?(rows: ChangedRows): Promise<DesiredState>;
}

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
  /** As far as it can be read; empty when the row has none. */
  readonly displayId: string;
  readonly reason: SkipReason;
  /** For people. */
  readonly detail: string;
}

/** One consistent snapshot of what should run. */
export interface DesiredState {
  readonly subscriptions: DesiredCameraSubscription[];
  readonly skipped: SkippedDisplay[];
}

/** Where the desired state comes from. A bad row is skipped with a reason; only a source that cannot be read rejects. */
export interface DesiredStateSource {
  read(): Promise<DesiredState>;
  /**
   * Optional, for very many displays: what `read` would return for the displays that are named, and for those that refer to a camera,
   * playlist or model that is named. A display that is named and has neither a subscription nor an entry in `skipped` is gone.
   */
  readSome?(rows: ChangedRows): Promise<DesiredState>;
}

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

/** The desired state of one snapshot, or a page of it. */
export interface DesiredState {
  readonly subscriptions: DesiredCameraSubscription[];
  readonly skipped: SkippedDisplay[];
}

/** What a source returns: everything at once, or page by page. */
export type DesiredRead = Promise<DesiredState> | AsyncIterable<DesiredState>;

/**
 * The source of the desired state. Skips a bad row with a reason; fails only if the source cannot be read.
 *
 * For very many displays, return pages, as an `async *read()` does. The master compares each page before it asks for the next one,
 * and `timings.readTimeout` holds for each of them. All pages belong to one snapshot, which is taken by the time of the first one. What no
 * page has is removed after the last one. If the master gives up, it closes the iterator (`return()`).
 */
export interface DesiredStateSource {
  read(): DesiredRead;
  /**
   * Optional, for very many displays: returns the part of `read` for the named displays, and for those that refer to a named
   * camera, playlist or model. A named display without a subscription and without an entry in `skipped` no longer exists. The master
   * may call it between two pages of `read`; what it returns is then at least as recent as these pages.
   */
  readSome?(rows: ChangedRows): DesiredRead;
}

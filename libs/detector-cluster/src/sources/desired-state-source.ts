import type { ChangedRows } from './changed-rows.js';
import type { DatabasePosition } from './database-history.js';
import type { SkippedDisplay, DesiredCameraSubscription } from '@detector-cluster/placement/internal';

/** The desired state of one snapshot, or a page of it. */
export interface DesiredState {
  readonly subscriptions: DesiredCameraSubscription[];
  readonly skipped: SkippedDisplay[];
  /**
   * Where the database was when the snapshot was taken; the first page decides. The master refuses a snapshot that may be behind an
   * earlier one, and each snapshot of a standby. Left out: each snapshot counts.
   */
  readonly position?: DatabasePosition | 'standby' | undefined;
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

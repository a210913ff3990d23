import { isEntry } from '../sources/checked-subscription.js';
import type { DesiredState } from '../sources/desired-state-source.js';
import {
  displayOf,
  type SkippedDisplay,
  type DesiredCameraSubscription,
  inChunks,
} from '@detector-cluster/placement/internal';
import type { Described } from './describe-subscription.js';
import { getOrInsertComputed } from '@detector-cluster/election/internal';

const NO_OBJECT: SkippedDisplay = {
  displayId: '',
  reason: 'malformed-row',
  detail: 'the entry is no object',
};

/** Rows of the source that yield no subscription, by display. */
export type SkippedRows = Map<string, SkippedDisplay[]>;

export const addSkipped = (rows: SkippedRows, row: SkippedDisplay): void =>
  void getOrInsertComputed(rows, row.displayId, () => []).push(row);

/** Takes subscriptions and skipped rows of a page, in slices. */
export function* eachOf(
  { subscriptions, skipped }: DesiredState,
  take: (subscription: DesiredCameraSubscription) => SkippedDisplay | null,
  rows: SkippedRows,
): Generator<void, void> {
  const skip = (row: SkippedDisplay) => addSkipped(rows, row);
  yield* inChunks(skipped, skip);
  yield* inChunks(subscriptions as readonly unknown[], (entry) => {
    const problem = isEntry(entry) ? take(entry as unknown as DesiredCameraSubscription) : NO_OBJECT;
    if (problem !== null) skip(problem);
  });
}

/**
 * What a read of everything has found so far. It notes only what differs from what is known, and what is known changes at its end.
 *
 * Small reads may come in between. Their snapshots are more recent than that of this read. So what they have read stands, whatever this
 * one says about it.
 */
export class FullRead {
  /** Subscription → how it is to be; null: it is no longer desired. */
  readonly next = new Map<string, Described | null>();
  readonly skipped: SkippedRows = new Map();
  /** Of its snapshot. */
  position: DesiredState['position'] = undefined;
  /** Displays that a small read has covered. */
  private readonly newerDisplays = new Set<string>();
  /** Cameras that a small read has covered. */
  private readonly newerCameras = new Set<string>();

  /** @param number no two reads of a master have the same */
  constructor(readonly number: number) {}

  /** A small read with a more recent snapshot takes effect. */
  overtaken(displays: Iterable<string>, cameras: Iterable<string>): void {
    for (const display of displays) this.newerDisplays.add(display);
    for (const camera of cameras) this.newerCameras.add(camera);
  }

  /**
   * Displays about which this read has nothing to say. `doubtful` are those of them that it has seen with a camera of a small read, which
   * did not see them there: they have changed in between.
   */
  overtakenDisplays(): { readonly all: ReadonlySet<string>; readonly doubtful: readonly string[] } {
    if (this.newerCameras.size === 0) return { all: this.newerDisplays, doubtful: [] };
    const doubtful = new Set<string>();
    for (const [id, described] of this.next) {
      if (described === null || !this.newerCameras.has(described.entry.cameraId)) continue;
      if (!this.newerDisplays.has(displayOf(id))) doubtful.add(displayOf(id));
    }
    return { all: new Set([...this.newerDisplays, ...doubtful]), doubtful: [...doubtful] };
  }
}

import type { WorkerLiveness } from '@detector-cluster/placement/internal';

/** If more than this share of the workers is unavailable at once, the network of this process has probably failed. */
const SHARE = 0.55;
const MIN_WORKERS = 3;
/** The longest freeze. Milliseconds. */
const MAX_FREEZE = 60_000;

export interface FreezeWorker {
  readonly liveness: WorkerLiveness;
  /** It refuses the connection: its host is reachable, but the worker does not run. */
  readonly refused: boolean;
  /** It has reported to this master, or was online under the master before. */
  readonly known: boolean;
}

/**
 * A freeze is news only after this time. Workers that were stopped count as vanished until they have refused the next connection, which is no
 * failure of the network. Milliseconds.
 */
const DOUBT = 3_000;

/** How long the other workers get to return, once some have returned. Milliseconds. */
const CALM = 15_000;

/**
 * Detects that most workers vanished at once. Moving all their work to the few remaining workers would do harm, so everything stays
 * where it is until they return, or for a minute. They do not return all at once: when enough have returned, the rest has the usual
 * time until it loses its work. Times are monotonic, milliseconds.
 */
export class NetworkFreeze {
  private since: number | null = null;
  /** Since when enough of them have returned. */
  private calmSince: number | null = null;

  /** Whether nothing is to be moved at `now`. */
  update(workers: readonly FreezeWorker[], now: number): boolean {
    // A worker that was unavailable when this master began has not vanished.
    const reachable = workers.filter(({ known, refused }) => known && !refused);
    const away = reachable.filter(({ liveness }) => liveness === 'Suspect' || liveness === 'Offline');
    if (reachable.length >= MIN_WORKERS && away.length > reachable.length * SHARE) {
      this.since ??= now;
      this.calmSince = null;
    } else if (this.since !== null) {
      this.calmSince ??= now;
      if (away.length === 0 || now >= this.calmSince + CALM) this.since = this.calmSince = null;
    }
    return this.endsAt(now) !== null;
  }

  /** When the freeze becomes news if nothing changes; null while nothing is frozen. */
  certainAt(now: number): number | null {
    return this.since === null || this.endsAt(now) === null ? null : this.since + DOUBT;
  }

  /** When it ends if nothing changes; null while nothing is frozen. */
  endsAt(now: number): number | null {
    if (this.since === null) return null;
    const end = Math.min(this.since + MAX_FREEZE, (this.calmSince ?? Number.POSITIVE_INFINITY) + CALM);
    return now < end ? end : null;
  }
}

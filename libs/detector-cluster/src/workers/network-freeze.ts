import type { WorkerLiveness } from '../model/cluster-state.js';

/** When more than this share of the workers is away at once, it is rather our network that fails. */
const SHARE = 0.55;
const FEWEST = 3;
/** For no longer than this. Milliseconds. */
const LONGEST = 60_000;

export interface FreezeWorker {
  readonly liveness: WorkerLiveness;
  /** It refuses the connection: its host can be reached, it is not there. */
  readonly refused: boolean;
}

/**
 * Whether most workers vanished at once. Moving all their work to the few that are left would do harm, so everything stays
 * where it is until they are back, or for a minute. Times are monotonic, milliseconds.
 */
export class NetworkFreeze {
  private since: number | null = null;

  /** Whether nothing is to be moved at `now`. */
  update(workers: readonly FreezeWorker[], now: number): boolean {
    const reachable = workers.filter(({ refused }) => !refused);
    const away = reachable.filter(({ liveness }) => liveness !== 'Ready' && liveness !== 'Quarantined');
    if (reachable.length < FEWEST || away.length <= reachable.length * SHARE) this.since = null;
    else this.since ??= now;
    return this.since !== null && now < this.since + LONGEST;
  }

  /** When it ends at the latest; null while nothing is frozen. */
  endsAt(now: number): number | null {
    if (this.since === null) return null;
    const end = this.since + LONGEST;
    return now < end ? end : null;
  }
}

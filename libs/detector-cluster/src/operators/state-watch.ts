import type { MasterElection } from '@detector-cluster/master-election';
import type { ListedTimer } from '../shared/cluster-timers.js';
import type { Heartbeat } from './master-heartbeat.js';
import type { ClusterLogger } from './worker-logger.js';

/** Between two looks. Milliseconds. */
const LOOK_INTERVAL = 5_000;
/** A master that has led for so many looks has written the state, unless it cannot. */
const MISSED_LOOKS = 2;

export interface StateWatchOptions {
  readonly election: Pick<MasterElection, 'getIsMaster' | 'getLockName' | 'masterId' | 'term'>;
  readonly readHeartbeat: () => Promise<Heartbeat | null>;
  readonly logger: Pick<ClusterLogger, 'warn'>;
  readonly timer: Pick<ListedTimer, 'repeat'>;
  /** Prefix of the cluster's keys, for the message. */
  readonly keyPrefix: string;
}
/**
 * Warns once in each term about a master that does not write the state of this cluster: an application that shares the lock without
 * having the module, or with other keys.
 */
export class StateWatch {
  private term = 0;
  private looks = 0;

  constructor(private readonly options: StateWatchOptions) {}

  start(): void {
    this.options.timer.repeat(() => void this.look().catch(() => undefined), LOOK_INTERVAL);
  }

  private async look(): Promise<void> {
    const { election, keyPrefix, logger, readHeartbeat } = this.options;
    const { masterId, term } = election;
    if (masterId === null || election.getIsMaster()) return;
    if (term !== this.term) {
      this.term = term;
      this.looks = 0;
    }
    const heartbeat = await readHeartbeat();
    if (heartbeat !== null && heartbeat.term >= term) {
      this.looks = 0;
      return;
    }
    if (++this.looks !== MISSED_LOOKS) return;
    logger.warn(
      `process ${masterId} is master of the lock "${election.getLockName()}" (term ${term}), but does not write the state below ` +
        `the keyPrefix "${keyPrefix}": give every process of this lock the same DetectorClusterModule, or applications without it a ` +
        'lockName of their own',
    );
  }
}

import type { Clock } from '@detector-cluster/election';
import type { SwimOptions } from '../detector/swim.detector.js';
import type { LeaderStore } from '../store/leader-store.js';
import type { Transport } from '../transport/transport.js';

/** Which failure detector: a few members per cycle and with help of others, or every member in each cycle. */
export type DetectorName = 'swim' | 'round-robin';

/** All durations of a group. Milliseconds. */
export interface GroupTimes {
  /** One round of the failure detector. Default 1,000. */
  readonly pingCycle: number;
  /** A member without a sign of life for this many cycles has failed. Default 5. */
  readonly failureThreshold: number;
  /** A leader may act this long after its last renewal in the store, and is replaced after it. Default 5,000. */
  readonly leaseTtl: number;
  /** How often a leader renews. Default a fifth of `leaseTtl`. */
  readonly renewInterval: number;
  /** While joining, random waits are from 1 to this. Default 1,000. */
  readonly joinWait: number;
  /** While joining, how long to wait when the address is in use. Default 5,000. */
  readonly busyWait: number;
  /** How long a leader may take to answer JOIN. Default 2,000. */
  readonly joinTimeout: number;
  /** No call of the store takes longer. Default a third of `leaseTtl`, at most 2,000. */
  readonly storeTimeout: number;
  /** A leader that gave up lets others go first for this long. Default 1,000. */
  readonly sitOut: number;
  /** How long the id of a member that ended is remembered. Default 600,000. */
  readonly rememberFor: number;
}

/** What makes a member, but for how its messages travel. */
export interface CoreGroupOptions extends Partial<GroupTimes>, Partial<SwimOptions> {
  /** Its name. Processes with the same one form a group. Default `default`. */
  readonly group?: string;
  readonly store: LeaderStore;
  /** Default `swim`. */
  readonly detector?: DetectorName;
  /** Whether a leader that cannot reach a majority of the last known members steps down. Default false. */
  readonly quorum?: boolean;
  /** Told to others of a leader; by default its address. */
  readonly name?: string;
  /** Receives what an operator should know. Default: `process.emitWarning`. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
}

export interface ResolvedGroupOptions extends GroupTimes, SwimOptions {
  readonly group: string;
  readonly store: LeaderStore;
  readonly detector: DetectorName;
  readonly quorum: boolean;
  readonly name: string | undefined;
  readonly onWarning: (message: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

/** What a member is made of. */
export interface GroupMemberOptions extends CoreGroupOptions {
  readonly transport: Transport;
}

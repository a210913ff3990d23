import type { Clock, LossReason } from '@detector-cluster/election';
import type { DetectorName } from '../detector/failure-detector.js';
import type { SwimOptions } from '../detector/swim.detector.js';
import type { Member } from '../detector/member-view.js';
import type { GroupLease } from '../lease/group-lease.js';
import type { LeaderInfo } from '../store/leader-record.js';
import type { LeaderStore } from '../store/leader-store.js';
import type { Transport } from '../transport/message.js';

/** All durations of a group. Milliseconds. */
export interface GroupTimes {
  /** One round of the failure detector. Default 1,000. */
  readonly pingCycle: number;
  /** A member that shows no sign of life for this many cycles has failed. Default 5. */
  readonly failureThreshold: number;
  /** A leader may act for this long after its last renewal in the store. Then the group replaces it. Default 5,000. */
  readonly leaseTtl: number;
  /** How often a leader renews. Default a fifth of `leaseTtl`. */
  readonly renewInterval: number;
  /** While joining, random waits last from 1 to this. Default 1,000. */
  readonly joinWait: number;
  /** While joining, how long to wait when the address is in use. Default 5,000. */
  readonly busyWait: number;
  /** How long a leader may take to answer JOIN. Default 2,000. */
  readonly joinTimeout: number;
  /** No call of the store takes longer. Default a third of `leaseTtl`, at most 2,000. */
  readonly storeTimeout: number;
  /** A leader that gave up lets others go first for this long. Default 1,000. */
  readonly cooldown: number;
  /** How long a member remembers the ids of ended members. Default 600,000. */
  readonly rememberFor: number;
}

/** Options of a member, without those of its transport. */
export interface CoreGroupOptions extends Partial<GroupTimes>, Partial<SwimOptions> {
  /** Name of the group. Processes with the same name form a group. Default `default`. */
  readonly group?: string;
  readonly store: LeaderStore;
  /** Default `swim`. */
  readonly detector?: DetectorName;
  /** Whether a leader that cannot reach a majority of the last known members steps down. Default false. */
  readonly quorum?: boolean;
  /** The leader's name for the other members. Default: its address. */
  readonly name?: string;
  /** Receives what an operator should know. Default: `process.emitWarning`. */
  readonly onWarning?: (message: string) => void;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
}

export type ResolvedGroupOptions = Required<Omit<CoreGroupOptions, 'name'>> & Pick<CoreGroupOptions, 'name'>;

/** The parts of a member. */
export interface GroupMemberOptions extends CoreGroupOptions {
  readonly transport: Transport;
}

/** Events of a {@link GroupMember}. */
export type GroupMemberEvents = {
  /** This process is a member with this id. `founded`: it found no leader and leads. */
  joined: [membership: { readonly id: number; readonly epoch: number; readonly founded: boolean }];
  /** This process is no longer a member and joins again: the others considered it dead, or the group has moved on without it. */
  left: [why: 'expelled' | 'outdated'];
  /** Another member has joined, is suspected, has refuted that, has failed or has departed. */
  member: [member: Member];
  /** The leader has changed; id 0: there is none. */
  leader: [leader: LeaderInfo];
  /** This member leads, or its lease was confirmed. */
  lease: [lease: GroupLease];
  /** This member no longer leads. */
  lost: [loss: { readonly term: number; readonly reason: LossReason }];
  /** The store failed, or an attempt to join again did. The member keeps trying. */
  error: [error: Error];
};

import type { AcquisitionReason, Clock, LossReason } from '@detector-cluster/election';
import type { ClockInstant } from '@detector-cluster/election/internal';
import type { GroupLease } from '../lease/group-lease.js';
import type { LeaseWatch } from '../lease/lease-watch.js';
import type { ResolvedGroupOptions } from './group-options.js';
import type { LeaderInfo, LeaderRecord } from '../store/leader-record.js';
import type { Member } from '../detector/member-view.js';
import type { RecordAccess } from '../store/record-access.js';
import type { GroupMessage } from '../transport/message.js';

/** How a process became a member. */
export interface Membership {
  readonly id: number;
  readonly epoch: number;
  readonly incarnation: number;
  readonly members: readonly Member[];
  readonly leader: LeaderInfo | null;
  /** Present if this process founded the group. */
  readonly founded?: {
    readonly record: LeaderRecord;
    readonly sentAt: ClockInstant;
    readonly reason: AcquisitionReason;
    /** The member may not act before that. Monotonic. */
    readonly actFrom: number;
  };
}

/** What a session needs of its process. */
export interface SessionPort {
  readonly options: ResolvedGroupOptions;
  readonly clock: Clock;
  readonly random: () => number;
  readonly access: RecordAccess;
  readonly watch: LeaseWatch;
  readonly address: string;
  readonly boot: string;
  readonly name: string;
  /** The highest term that this process has seen. */
  floor(): number;
  /** This process has seen this term. */
  raiseFloor(term: number): void;
  transmit(address: string, message: GroupMessage, unreachable?: (error: Error) => void): void;
  memberChanged(member: Member): void;
  leaderChanged(leader: LeaderInfo): void;
  lease(lease: GroupLease): void;
  lost(loss: { readonly term: number; readonly reason: LossReason }): void;
  /** The process is no longer a member and has to join again. */
  leave(why: 'expelled' | 'outdated'): void;
  failed(error: Error): void;
}

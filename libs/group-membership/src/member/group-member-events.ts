import type { LossReason } from '@detector-cluster/election';
import type { LeaderInfo } from '../model/leader-info.js';
import type { Member } from '../model/member.js';
import type { GroupLease } from '../session/session-port.js';

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

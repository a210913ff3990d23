import type { LossReason } from '@detector-cluster/election';
import type { LeaderInfo } from '../model/leader-info.js';
import type { Member } from '../model/member.js';
import type { GroupLease } from '../session/session-port.js';

/** What a {@link GroupMember} tells. */
export type GroupMemberEvents = {
  /** It is a member, with this id. `founded`: it found no leader, and leads. */
  joined: [membership: { readonly id: number; readonly epoch: number; readonly founded: boolean }];
  /** It is no longer a member and joins again: the others considered it dead, or the group has moved on without it. */
  left: [why: 'expelled' | 'outdated'];
  /** Another member has come, is suspected, has refuted that, has failed or has departed. */
  member: [member: Member];
  /** The leader has changed; id 0: there is none. */
  leader: [leader: LeaderInfo];
  /** It leads, or was confirmed. */
  lease: [lease: GroupLease];
  /** It no longer leads. */
  lost: [loss: { readonly term: number; readonly reason: LossReason }];
  /** The store failed, or joining again did. The member keeps trying. */
  error: [error: Error];
};

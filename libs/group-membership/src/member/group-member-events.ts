import type { LossReason } from '@detector-cluster/election';
import type { LeaderInfo } from '../model/leader-info.js';
import type { Member } from '../model/member.js';
import type { GroupLease } from '../session/session-port.js';

/** What a {@link GroupMember} tells. */
export type GroupMemberEvents = {
  /** It is a member, with this id. `founded`: it found nobody, and leads. */
  joined: [membership: { readonly id: number; readonly epoch: number; readonly founded: boolean }];
  /** It is no member any more and joins again: the others took it for dead, or the group has moved on without it. */
  left: [why: 'expelled' | 'outdated'];
  /** Another member has come, is suspected, has refuted that, has failed or has departed. */
  member: [member: Member];
  /** Somebody else leads; id 0: nobody. */
  leader: [leader: LeaderInfo];
  /** It leads, or was confirmed. */
  lease: [lease: GroupLease];
  /** It leads no more. */
  lost: [loss: { readonly term: number; readonly reason: LossReason }];
  /** The store failed, or joining again did. It goes on. */
  error: [error: Error];
};

import type { GroupMember } from '../member/group-member.js';
import type { GroupMemberEvents } from '../member/group-member-events.js';
import type { FrameFault } from '../transport/security/frame-fault.js';

/** What `GroupMembership` uses of a member. */
export interface MemberPort extends Pick<
  GroupMember,
  'id' | 'leader' | 'members' | 'term' | 'mayAct' | 'sent' | 'start' | 'stop' | 'resign'
> {
  // The listeners of `SafeEmitter` fit no simpler type; `GroupMembership.on` has the exact one.
  on(name: keyof GroupMemberEvents, listener: never): unknown;
  off(name: keyof GroupMemberEvents, listener: never): unknown;
}

export interface MemberParts {
  readonly member: MemberPort;
  readonly faults: Readonly<Record<FrameFault, number>>;
}

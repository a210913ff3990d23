import type { GroupMember } from '../member/group-member.js';
import type { GroupMemberEvents } from '../member/group-options.js';
import type { FrameFault } from '../transport/ws/frame-codec.js';

/** The part of a member that `GroupMembership` uses. */
export interface MemberPort extends Pick<
  GroupMember,
  'id' | 'leader' | 'members' | 'term' | 'mayAct' | 'sent' | 'start' | 'stop' | 'resign'
> {
  // No simpler type fits the listeners of `SafeEmitter`; `GroupMembership.on` has the exact type.
  on(name: keyof GroupMemberEvents, listener: never): unknown;
  off(name: keyof GroupMemberEvents, listener: never): unknown;
}

export interface MemberParts {
  readonly member: MemberPort;
  readonly faults: Readonly<Record<FrameFault, number>>;
}

import type { LeaderInfo } from '../model/leader-info.js';

/** What a process knows of its group at one instant, without sending a request. All durations in milliseconds. */
export interface GroupMembershipStatus {
  /** Name of the group. */
  readonly group: string;
  /** `joining` while the process is not a member. */
  readonly role: 'joining' | 'follower' | 'leader';
  /** Whether it leads and may act at this instant. */
  readonly mayAct: boolean;
  /** `null` while it is not a member. */
  readonly id: number | null;
  readonly leader: LeaderInfo | null;
  /** Members that are not known to have ended, itself included. */
  readonly members: number;
  /** The highest term seen. */
  readonly term: number;
  /** Whether it has been a member since its start. */
  readonly hasJoined: boolean;
  /** How long it has not been a member; `null` while it is one. */
  readonly joiningFor: number | null;
  /** How long there has been no leader, as far as it knows; `null` while there is one. */
  readonly leaderlessFor: number | null;
  /** How long the group normally needs at most to detect a failed leader and elect another. */
  readonly takeoverTime: number;
}

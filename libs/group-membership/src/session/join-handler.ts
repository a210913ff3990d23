import { toError } from '@detector-cluster/election/internal';
import type { LeadershipTerm } from '../lease/leadership-term.js';
import { isActive, type Member, type MemberView } from '../detector/member-view.js';
import type { JoinAnswer, MessageOf } from '../transport/message.js';

export interface JoinDeskPort {
  readonly view: MemberView;
  /** While this member leads. */
  leadershipTerm(): LeadershipTerm | null;
  learn(member: Member): void;
  /** The answer for a new member. */
  accept(member: Member): JoinAnswer;
}

/** Maximum number of members in an answer to a JOIN, which has to fit into one message of 1 MiB. */
const NAMED = 1_000;

/**
 * The members that the leader reports to a new one: the active members, the leader first. In a larger group the new member learns of
 * the others from their messages, as all members do.
 */
export function membersForJoin(view: MemberView, leaderId: number): Member[] {
  const leader = view.get(leaderId);
  const others = view.activeMembers().filter(({ id }) => id !== leaderId);
  return [...(leader ? [leader] : []), ...others].slice(0, NAMED);
}

/** Handles JOIN requests while this member leads. */
export class JoinHandler {
  /** Boots that are waiting for an id, by address. */
  private readonly pending = new Map<string, string>();

  constructor(private readonly port: JoinDeskPort) {}

  /** Resolves with the answer; `null` for a request that is already being dealt with. Never rejects. */
  async handle({ from }: MessageOf<'JOIN'>): Promise<JoinAnswer | null> {
    const leadershipTerm = this.port.leadershipTerm();
    if (!leadershipTerm?.isValid()) return { outcome: 'not-leader' };
    const holder = this.port.view.activeMembers().find(({ address }) => address === from.address);
    if (holder && holder.boot !== from.boot) return { outcome: 'address-in-use', holder: holder.id };
    // The first answer was lost, or the member does not know that it is still one.
    if (holder) return this.admit({ ...holder, status: 'alive', incarnation: holder.incarnation + 1 });
    const waiting = this.pending.get(from.address);
    if (waiting !== undefined) return waiting === from.boot ? null : { outcome: 'address-in-use', holder: 0 };
    this.pending.set(from.address, from.boot);
    try {
      const id = await leadershipTerm.allocate();
      return this.admit({ id, address: from.address, boot: from.boot, status: 'alive', incarnation: 0 });
    } catch (error) {
      return { outcome: 'error', reason: toError(error).message.slice(0, 512) };
    } finally {
      this.pending.delete(from.address);
    }
  }

  private admit(member: Member): JoinAnswer {
    this.port.learn(member);
    if (!this.port.leadershipTerm() || !isActive(this.port.view.get(member.id)))
      return { outcome: 'not-leader' };
    return this.port.accept(this.port.view.get(member.id)!);
  }
}

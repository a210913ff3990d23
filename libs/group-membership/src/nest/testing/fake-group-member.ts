import { SafeEmitter, type AcquisitionReason, type LossReason } from '@detector-cluster/election';
import type { GroupMemberEvents } from '../../member/group-options.js';
import type { LeaderInfo } from '../../store/leader-record.js';
import { isActive, type Member } from '../../view/member.js';
import type { MemberPort } from '../member-parts.js';

/** Length of a fake lease. Milliseconds. */
const LEASE = 60_000;

/** A member whose group the test controls. Its own id is 1. */
export class FakeGroupMember extends SafeEmitter<GroupMemberEvents> implements MemberPort {
  readonly sent = {};
  id: number | null = null;
  term = 0;
  leader: LeaderInfo | null = null;
  mayAct = false;
  private readonly known = new Map<number, Member>();

  get members(): Member[] {
    return [...this.known.values()].filter(isActive).sort((a, b) => a.id - b.id);
  }

  /** Does nothing: only the test causes events. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.leave();
    return Promise.resolve();
  }

  resign(): Promise<void> {
    this.lose('resigned');
    return Promise.resolve();
  }

  join(founded: boolean): void {
    if (this.id !== null) return;
    this.id = 1;
    this.known.set(1, memberOf(1, 'alive'));
    this.fire('joined', { id: 1, epoch: 1, founded });
  }

  leave(why?: 'expelled' | 'outdated'): void {
    if (this.id === null) return;
    this.lose('stopped');
    this.id = null;
    this.leader = null;
    this.known.clear();
    if (why) this.fire('left', why);
  }

  lead(reason: AcquisitionReason): void {
    this.join(this.known.size === 0);
    if (this.leader?.id !== 1) this.term++;
    this.leader = this.leaderOf(1);
    this.mayAct = true;
    const sentAt = performance.now();
    this.fire('lease', {
      term: this.term,
      validUntil: sentAt + LEASE,
      leaseUntil: sentAt + LEASE,
      sentAt,
      reason,
    });
  }

  lose(reason: LossReason): void {
    if (this.leader?.id !== 1) return;
    this.mayAct = false;
    this.leader = null;
    this.fire('lost', { term: this.term, reason });
  }

  follow(id: number): void {
    this.join(false);
    this.lose('refused');
    if (!isActive(this.known.get(id))) this.change(memberOf(id, 'alive'));
    this.term++;
    this.leader = this.leaderOf(id);
    this.fire('leader', this.leader);
  }

  change(member: Member): void {
    this.known.set(member.id, member);
    this.fire('member', member);
  }

  fail(error: Error): void {
    this.fire('error', error);
  }

  protected unheard(): void {}

  private leaderOf(id: number): LeaderInfo {
    const { address } = memberOf(id, 'alive');
    return { id, address, name: address, term: this.term, revision: 1, barred: 0 };
  }
}

export function memberOf(id: number, status: Member['status']): Member {
  return { id, status, address: `member-${id}.test:1`, boot: `boot-${id}`, incarnation: 0 };
}

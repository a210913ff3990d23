import type { AcquisitionReason, LossReason } from '@detector-cluster/election';
import { SafeEmitter } from '@detector-cluster/election/internal';
import type { GroupMemberEvents } from '../session/group-options.js';
import type { LeaderInfo } from '../store/leader-record.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { FRAME_FAULTS, type FrameFault } from '../transport/frame-codec.js';
import { isActive, type Member, type MemberStatus } from '../detector/member-view.js';
import { GroupMembership, type MemberParts, type MemberPort } from './group-membership.js';

/** Length of a fake lease. Milliseconds. */
const LEASE = 60_000;

/** A member whose group the test controls. Its own id is 1. */
class FakeGroupMember extends SafeEmitter<GroupMemberEvents> implements MemberPort {
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
    return { id, address, name: address, term: this.term, revision: 1, leaseTtl: 5_000, barred: 0 };
  }
}

function memberOf(id: number, status: Member['status']): Member {
  return { id, status, address: `member-${id}.test:1`, boot: `boot-${id}`, incarnation: 0 };
}

/**
 * A `GroupMembership` for unit tests, without sockets and without a store. Only the test causes events. It is the real class over a
 * fake member with the id 1. A method calls the listeners before it returns.
 */
export class FakeGroupMembership extends GroupMembership {
  constructor() {
    super({
      internalAddress: 'fake.invalid:1',
      secret: 'of no use here',
      tls: false,
      store: new MemoryLeaderStore(),
    });
  }

  /** This process becomes a member. */
  join({ founded = false }: { readonly founded?: boolean } = {}): void {
    this.fake.join(founded);
  }

  /** This process is no longer a member. It joins again when {@link join} is called. */
  leave(why: 'expelled' | 'outdated' = 'expelled'): void {
    this.fake.leave(why);
  }

  /** This process leads: in the same term if it already led, else in the next. It joins first if it is not a member. */
  becomeLeader(reason: AcquisitionReason = 'vacant'): void {
    this.fake.lead(reason);
  }

  /** This process no longer leads, and no other member does. */
  loseLeadership(reason: LossReason = 'refused'): void {
    this.fake.lose(reason);
  }

  /** Another member leads, in the next term. */
  followLeader(id = 2): void {
    this.fake.follow(id);
  }

  /** Another member joins, or its status changes. */
  setMember(id: number, status: MemberStatus = 'alive'): void {
    this.fake.change(memberOf(id, status));
  }

  /** The store or joining fails. */
  fail(error: Error): void {
    this.fake.fail(error);
  }

  protected override createParts(): MemberParts {
    const faults = Object.fromEntries(FRAME_FAULTS.map((fault) => [fault, 0])) as Record<FrameFault, number>;
    return { member: new FakeGroupMember(), faults };
  }

  private get fake(): FakeGroupMember {
    return this.member as MemberPort as FakeGroupMember;
  }
}

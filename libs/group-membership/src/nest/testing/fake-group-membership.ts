import type { AcquisitionReason, LossReason } from '@detector-cluster/election';
import { type DynamicModule, Module } from '@nestjs/common';
import type { MemberStatus } from '../../view/member.js';
import { MemoryLeaderStore } from '../../store/memory-leader-store.js';
import { FRAME_FAULTS, type FrameFault } from '../../transport/ws/frame-codec.js';
import { GroupMembership } from '../group-membership.js';
import type { MemberParts, MemberPort } from '../member-parts.js';
import { FakeGroupMember, memberOf } from './fake-group-member.js';

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

/** Replaces `GroupMembershipModule` in unit tests: provides a {@link FakeGroupMembership}. */
@Module({})
export class GroupMembershipTestingModule {
  static register({ isGlobal = false }: { readonly isGlobal?: boolean } = {}): DynamicModule {
    return {
      module: GroupMembershipTestingModule,
      global: isGlobal,
      providers: [
        { provide: FakeGroupMembership, useFactory: () => new FakeGroupMembership() },
        { provide: GroupMembership, useExisting: FakeGroupMembership },
      ],
      exports: [FakeGroupMembership, GroupMembership],
    };
  }
}

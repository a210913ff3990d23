import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { createGroupMember, type GroupOptions } from '../create-group-member.js';
import type { GroupMember } from '../member/group-member.js';
import type { GroupMemberEvents } from '../member/group-member-events.js';
import type { LeaderInfo } from '../model/leader-info.js';
import type { Member } from '../model/member.js';
import type { LeaderStore } from '../store/leader-store.js';
import type { FrameFault } from '../transport/security/frame-fault.js';
import { GROUP_MEMBERSHIP_OPTIONS } from './group-membership.tokens.js';

/**
 * This process as a member of its group. It joins when the application starts, which fails with a `JoinError` when it cannot, and
 * departs when the application ends; the store is closed last.
 */
@Injectable()
export class GroupMembership
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(GroupMembership.name);
  private readonly member: GroupMember;
  private readonly store: LeaderStore;
  /** Frames that were dropped, by reason. */
  readonly faults: Readonly<Record<FrameFault, number>>;

  /** @throws InvalidGroupOptionsError with all problems at once. */
  constructor(@Inject(GROUP_MEMBERSHIP_OPTIONS) options: GroupOptions) {
    const onWarning = options?.onWarning ?? ((message: string) => this.logger.warn(message));
    const { member, transport } = createGroupMember(options && { ...options, onWarning });
    this.member = member;
    this.store = options.store;
    this.faults = transport.faults;
    member.on('joined', ({ id, founded }) =>
      this.logger.log(founded ? `founded the group, with id ${id}` : `joined the group, with id ${id}`),
    );
    member.on('left', (why) => this.logger.warn(`${why}: joining again`));
    member.on('leader', ({ id, address, term }) =>
      this.logger.log(id === 0 ? 'nobody leads' : `member ${id} at ${address} leads, term ${term}`),
    );
    member.on('error', (error) => this.logger.error(error.message));
  }

  /** `null` while it is no member. */
  get id(): number | null {
    return this.member.id;
  }

  /** Who leads as far as it knows; `null` for nobody. */
  get leader(): LeaderInfo | null {
    return this.member.leader;
  }

  /** All that are not known to have ended, itself included, by id. */
  get members(): Member[] {
    return this.member.members;
  }

  /** Fencing token: the highest term that it has seen. */
  get term(): number {
    return this.member.term;
  }

  /** Whether it leads and may act at this instant. Ask immediately before every act. */
  isLeader(): boolean {
    return this.member.mayAct;
  }

  /** Gives up leadership, if held, and lets others go first. */
  resign(): Promise<void> {
    return this.member.resign();
  }

  /** Listens to what happens in the group. Returns what ends that. */
  on<Name extends keyof GroupMemberEvents>(
    name: Name,
    listener: (...args: GroupMemberEvents[Name]) => void,
  ): () => void {
    this.member.on(name, listener as never);
    return () => this.member.off(name, listener as never);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.member.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.member.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.cleanup();
  }
}

import { systemClock } from '@detector-cluster/election';
import { pause, signalWithin, toError } from '@detector-cluster/election/internal';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { createGroupMember, type GroupOptions } from '../session/create-group-member.js';
import type { GroupMember } from '../session/group-member.js';
import type { GroupMemberEvents } from '../session/group-options.js';
import { examineGroupOptions } from '../session/resolve-group-options.js';
import type { LeaderInfo } from '../store/leader-record.js';
import type { FrameFault } from '../transport/frame-codec.js';
import type { MessageType } from '../transport/message.js';
import type { Member } from '../detector/member-view.js';

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

/** Injection token of the options, as given. */
export const GROUP_MEMBERSHIP_OPTIONS = Symbol('GROUP_MEMBERSHIP_OPTIONS');

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

/** A caller waited for a process to become a member before Nest had let it begin to join. */
export class JoinNotBegunError extends Error {
  override readonly name = 'JoinNotBegunError';
  readonly code = 'JOIN_NOT_BEGUN';

  constructor() {
    super(
      'this process has not begun to join: Nest lets it begin in onApplicationBootstrap, after every onModuleInit has ended, and not ' +
        "in a module that is loaded lazily. Wait after the application has started, or listen with on('joined', …)",
    );
  }
}

/** A process did not become a member of its group in time. It keeps trying to join. */
export class JoinTimeoutError extends Error {
  override readonly name = 'JoinTimeoutError';
  readonly code = 'JOIN_TIMEOUT';

  constructor(
    readonly timeoutMs: number,
    cause: unknown,
  ) {
    super(`this process did not become a member within ${timeoutMs} ms`, { cause });
  }
}

/** Pause before a failed attempt to join is repeated. Milliseconds. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

/**
 * This process as a member of its group. It begins to join when the application starts. The start does not wait for it, because a cold
 * start takes seconds. It retries until it is a member. It departs when the application ends, and closes the store last.
 */
@Injectable()
export class GroupMembership
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  /** Frames that were dropped, by reason. */
  readonly faults: Readonly<Record<FrameFault, number>>;
  protected readonly member: MemberParts['member'];
  private readonly logger = new Logger(GroupMembership.name);
  private readonly stopping = new AbortController();
  private readonly takeoverTime: number;
  private readonly group: string;
  private joining: Promise<void> | undefined;
  private joinFailure: unknown;
  private hasJoined = false;
  private outsideSince: number | null = performance.now();
  private leaderlessSince: number | null = performance.now();

  /** @throws InvalidGroupOptionsError with all problems at once. */
  constructor(@Inject(GROUP_MEMBERSHIP_OPTIONS) private readonly options: GroupOptions) {
    const onWarning = options?.onWarning ?? ((message: string) => this.logger.warn(message));
    const { member, faults } = this.createParts(options && { ...options, onWarning });
    this.member = member;
    this.faults = faults;
    const { group, leaseTtl, pingCycle, failureThreshold } = examineGroupOptions(options).options;
    this.group = group;
    this.takeoverTime = leaseTtl + pingCycle * failureThreshold;
    this.follow();
  }

  /** `null` while it is not a member. */
  get id(): number | null {
    return this.member.id;
  }

  /** The leader as far as it knows; `null` for none. */
  get leader(): LeaderInfo | null {
    return this.member.leader;
  }

  /** The members that are not known to have ended, itself included, by id. */
  get members(): Member[] {
    return this.member.members;
  }

  /** Fencing token: the highest term that it has seen. */
  get term(): number {
    return this.member.term;
  }

  /** Messages sent so far, by type. */
  get sent(): Readonly<Partial<Record<MessageType, number>>> {
    return this.member.sent;
  }

  /** Whether it leads and may act at this instant. Ask immediately before every act. */
  isLeader(): boolean {
    return this.member.mayAct;
  }

  /** Status of the group as this process knows it, for health checks and metrics. Sends no request. */
  getStatus(): GroupMembershipStatus {
    const { id, leader, members, term, mayAct } = this.member;
    const { group, hasJoined, takeoverTime } = this;
    const leads = id !== null && leader?.id === id;
    return {
      group,
      role: id === null ? 'joining' : leads ? 'leader' : 'follower',
      mayAct,
      id,
      leader,
      members: members.length,
      term,
      hasJoined,
      joiningFor: since(this.outsideSince),
      leaderlessFor: since(this.leaderlessSince),
      takeoverTime,
    };
  }

  /**
   * Resolves when this process is a member. Rejects at once before it begins to join, because waiting in `onModuleInit` would block
   * the start of the application.
   * @param timeoutMs Default: no limit.
   * @throws JoinNotBegunError; JoinTimeoutError, whose cause is the last failure to join; the reason of `beforeApplicationShutdown` when the application ends
   */
  async waitUntilJoined(timeoutMs?: number): Promise<void> {
    const stopping = this.stopping.signal;
    const signal = timeoutMs === undefined ? stopping : signalWithin(timeoutMs, stopping);
    while (this.id === null) {
      stopping.throwIfAborted();
      if (!this.joining) throw new JoinNotBegunError();
      if (signal.aborted) throw new JoinTimeoutError(timeoutMs!, this.joinFailure);
      await new Promise<void>((resolve) => {
        const done = () => {
          signal.removeEventListener('abort', done);
          off();
          resolve();
        };
        signal.addEventListener('abort', done);
        const off = this.on('joined', done);
      });
    }
  }

  /** Gives up leadership, if held, and lets others go first. */
  resign(): Promise<void> {
    return this.member.resign();
  }

  /** Listens to an event of the group. Returns a function that removes the listener. */
  on<Name extends keyof GroupMemberEvents>(
    name: Name,
    listener: (...args: GroupMemberEvents[Name]) => void,
  ): () => void {
    this.member.on(name, listener as never);
    return () => {
      this.member.off(name, listener as never);
    };
  }

  onApplicationBootstrap(): void {
    this.joining ??= this.keepJoining();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('the application ends'));
    await this.member.stop();
    await this.joining;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.options.store.cleanup();
  }

  /** The fake overrides this, because it has no peers. */
  protected createParts(options: GroupOptions): MemberParts {
    const { member, transport } = createGroupMember(options);
    return { member, faults: transport.faults };
  }

  private async keepJoining(): Promise<void> {
    const { signal } = this.stopping;
    for (let wait = FIRST_RETRY; !signal.aborted; wait = Math.min(2 * wait, LAST_RETRY))
      try {
        await this.member.start();
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.joinFailure = error;
        this.logger.error(`${toError(error).message}; trying again in ${wait / 1_000} s`);
        await pause(wait, systemClock, signal);
      }
  }

  private follow(): void {
    this.on('joined', ({ id, founded }) => {
      this.hasJoined = true;
      this.outsideSince = null;
      this.led();
      this.logger.log(founded ? `founded the group, with id ${id}` : `joined the group, with id ${id}`);
    });
    this.on('left', (why) => {
      this.outsideSince ??= performance.now();
      this.led();
      this.logger.warn(`${why}: joining again`);
    });
    this.on('leader', ({ id, address, term }) => {
      this.led();
      this.logger.log(id === 0 ? 'no member leads' : `member ${id} at ${address} leads, term ${term}`);
    });
    this.on('lease', () => this.led());
    this.on('lost', () => this.led());
    this.on('error', (error) => this.logger.error(error.message));
  }

  /** The leader may have changed. */
  private led(): void {
    if (this.leader) this.leaderlessSince = null;
    else this.leaderlessSince ??= performance.now();
  }
}

const since = (instant: number | null) => (instant === null ? null : performance.now() - instant);

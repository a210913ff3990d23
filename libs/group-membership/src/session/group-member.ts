import { randomUUID } from 'node:crypto';
import type { LossReason } from '@detector-cluster/election';
import { SafeEmitter } from '@detector-cluster/election/internal';
import { pause, toError } from '@detector-cluster/election/internal';
import { joinGroup } from './join-group.js';
import { AddressInUseError, JoinError } from '../transport/join.error.js';
import { claim } from '../lease/claim.js';
import { LeaseWatch } from '../lease/lease-watch.js';
import type { LeaderInfo, LeaderRecord } from '../store/leader-record.js';
import type { Member } from '../detector/member-view.js';
import { GroupSession } from './group-session.js';
import type { Membership, SessionPort } from './session-port.js';
import { isAtomic } from '../store/leader-store.js';
import { StandaloneLeaderStore } from '../store/standalone-leader-store.js';
import { RecordAccess } from '../store/record-access.js';
import {
  type GroupMessage,
  type JoinAnswer,
  type MessageOf,
  type MessageType,
  type Transport,
  WIRE_VERSION,
} from '../transport/message.js';
import type { GroupMemberEvents, GroupMemberOptions, ResolvedGroupOptions } from './group-options.js';
import { resolveGroupOptions } from './resolve-group-options.js';

/** Number of rounds in which a member tries to join if a leader appears that it cannot reach. */
const ROUNDS = 3;

/** A JOIN to one leader, until its answer. */
interface JoinRequest {
  /** Own address, and the leader's boot and epoch. */
  readonly key: string;
  readonly nonce: string;
  /** While an attempt waits for the answer. */
  done?: ((answer: JoinAnswer | null) => void) | undefined;
  /** The answer, if it arrived between two attempts. */
  answer?: JoinAnswer;
}

/**
 * A process as a member of a group: it joins, detects failed members, and leads when it is elected.
 *
 * Compare-and-set on the leader's record in the store decides which member leads for `leaseTtl`: {@link mayAct} is true in at most
 * one member at a time if the store is an `AtomicLeaderStore`. A member that the others considered dead joins again by
 * itself, with a new id.
 */
export class GroupMember extends SafeEmitter<GroupMemberEvents> {
  /** Messages sent so far, by type. */
  readonly sent: Partial<Record<MessageType, number>> = {};
  private readonly options: ResolvedGroupOptions;
  private readonly transport: Transport;
  private readonly access: RecordAccess;
  private readonly watch: LeaseWatch;
  private readonly boot = randomUUID().slice(0, 13);
  private joinRequest: JoinRequest | null = null;
  private address = '';
  private session: GroupSession | null = null;
  private stopping = new AbortController();
  private starting: Promise<void> | undefined;
  private rejoining: Promise<void> | undefined;
  private started = false;
  private floor = 0;

  /** @throws InvalidGroupOptionsError */
  constructor(options: GroupMemberOptions) {
    super();
    this.options = resolveGroupOptions(options);
    const { store, group, clock, storeTimeout: timeout, onWarning, leaseTtl } = this.options;
    this.transport = options.transport;
    this.access = new RecordAccess({ store, group, clock, timeout, onWarning });
    this.watch = new LeaseWatch(leaseTtl, clock);
  }

  /** `null` while it is not a member. */
  get id(): number | null {
    return this.session?.id ?? null;
  }

  /** The leader as far as it knows; `null` for none. */
  get leader(): LeaderInfo | null {
    const leader = this.session?.leader;
    return leader && leader.id !== 0 ? leader : null;
  }

  /** The members that are not known to have ended, itself included, by id. */
  get members(): Member[] {
    return (this.session?.view.activeMembers() ?? []).sort((a, b) => a.id - b.id);
  }

  /** What this member knows of a member, ended ones included. */
  memberOf(id: number): Member | undefined {
    return this.session?.view.get(id);
  }

  /** The highest term that it has seen. */
  get term(): number {
    return this.floor;
  }

  /** Whether it leads and may act at this instant. Compares clocks only. */
  get mayAct(): boolean {
    return this.session?.mayAct ?? false;
  }

  /**
   * Joins the group or founds it. A member that failed to join may be started again.
   * @throws JoinError, or its subclass AddressInUseError.
   */
  start(): Promise<void> {
    if (this.started) return Promise.reject(new Error('this member was started already'));
    this.started = true;
    this.stopping = new AbortController();
    this.starting = this.begin();
    return this.starting;
  }

  /**
   * Leaves the group: gives up leadership, informs the other members, and closes the connections of this member. The caller closes the store.
   * With `release: false` the lease stays in the store until it expires. A leader that may still act needs this. Default true.
   */
  async stop({ release = true }: { readonly release?: boolean } = {}): Promise<void> {
    if (!this.started) return;
    this.stopping.abort();
    this.joinRequest?.done?.(null);
    // A pending start ends first, so that it opens nothing after the cleanup.
    await this.starting?.catch(() => undefined);
    await this.rejoining;
    await this.session?.end(true, release);
    this.session = null;
    await this.transport.close();
    this.started = false;
  }

  /** Gives up leadership, if held, and lets others go first. Stays a member. Never rejects. */
  async resign(reason: LossReason = 'resigned'): Promise<void> {
    await this.session?.resign(reason);
  }

  protected unheard(): void {}

  private async begin(): Promise<void> {
    try {
      this.address = await this.transport.open((message, reply) => this.receive(message, reply));
      await this.join();
    } catch (error) {
      await this.transport.close();
      this.started = false;
      throw error;
    }
  }

  private async join(): Promise<void> {
    const { signal } = this.stopping;
    const { clock, random, joinWait, busyWait } = this.options;
    if (this.options.store instanceof StandaloneLeaderStore) return this.found(signal).then(() => undefined);
    for (let round = 1; round <= ROUNDS && !signal.aborted; round++) {
      const result = await joinGroup({
        clock,
        random,
        joinWait,
        busyWait,
        signal,
        address: this.address,
        emptyFor: () => this.emptyFor(),
        read: async () => {
          const look = await this.access.read();
          this.watch.saw(look);
          return look;
        },
        request: (leader, epoch) => this.request(leader, epoch),
        failed: (error) => this.fire('error', error),
      });
      if (result.outcome === 'aborted') return;
      if (result.outcome === 'accepted') {
        const { id, incarnation, members, leader } = result.answer;
        return this.enter({ id, epoch: result.epoch, incarnation, members, leader });
      }
      if (await this.found(signal)) return;
    }
    if (!signal.aborted) throw new JoinError('leader-unreachable', ROUNDS * 4);
  }

  /** Becomes the leader of a new group. Returns false when another member leads in the meantime. */
  private async found(signal: AbortSignal): Promise<boolean> {
    const { clock, group, leaseTtl, renewInterval: interval } = this.options;
    const { access, watch, address, boot, name } = this;
    const alone = this.options.store instanceof StandaloneLeaderStore;
    const wasEmpty = watch.emptySince !== undefined;
    const result = await claim(
      {
        access,
        watch,
        clock,
        group,
        interval,
        alone,
        claimant: { id: 0, epoch: 0, address, name, boot, leaseTtl },
        foundAfter: this.foundAfter,
        floor: () => this.floor,
        known: () => ({ lastId: 0, revision: 0 }),
        // A record in a store that was empty before belongs to a live leader.
        isLed: ({ leader }, changed) => leader !== null && (changed || wasEmpty),
        mayClaim: () => Promise.resolve(true),
        failed: (error) => this.fire('error', error),
      },
      signal,
    );
    if (result.outcome !== 'claimed') return signal.aborted;
    const { record, sentAt, reason, actFrom } = result;
    this.enter({
      id: 1,
      epoch: record.epoch,
      incarnation: 0,
      members: [],
      leader: null,
      founded: { record, sentAt, reason, actFrom },
    });
    return true;
  }

  /** How long the store has to be empty. A live leader whose record was lost has written it again by then. */
  private get foundAfter(): number {
    return isAtomic(this.options.store) ? 1.5 * this.options.renewInterval : Infinity;
  }

  /** How long the store must still stay empty before this process may found a group; `Infinity` when it is not empty. */
  private emptyFor(): number {
    const { emptySince } = this.watch;
    return emptySince === undefined ? Infinity : emptySince + this.foundAfter - this.options.clock.now();
  }

  private get name(): string {
    return this.options.name ?? this.address;
  }

  private enter(membership: Membership): void {
    const session = new GroupSession(this.sessionPort(), membership);
    this.session = session;
    const { id, epoch, founded } = membership;
    this.fire('joined', { id, epoch, founded: founded !== undefined });
    session.start();
  }

  /**
   * A leader may answer later than `joinTimeout`, every time. So a repeated JOIN keeps its nonce, and the answer to an earlier one
   * counts.
   */
  private request(leader: NonNullable<LeaderRecord['leader']>, epoch: number): Promise<JoinAnswer | null> {
    const { clock, joinTimeout } = this.options;
    const key = JSON.stringify([this.address, leader.boot, epoch]);
    if (this.joinRequest?.key !== key) this.joinRequest = { key, nonce: randomUUID() };
    const request = this.joinRequest;
    return new Promise((resolve) => {
      const done = (answer: JoinAnswer | null) => {
        clock.clearTimeout(timer);
        if (request.done === done) request.done = undefined;
        if (answer && this.joinRequest === request) this.joinRequest = null;
        resolve(answer);
      };
      const timer = clock.setTimeout(() => done(null), joinTimeout);
      request.done = done;
      if (request.answer) return done(request.answer);
      const { nonce } = request;
      this.transmit(leader.address, { ...this.envelope(0), type: 'JOIN', nonce, name: this.name }, () =>
        done(null),
      );
    });
  }

  private hearJoinAnswer({ nonce, answer }: MessageOf<'JOINACK'>): void {
    const request = this.joinRequest;
    if (request?.nonce !== nonce) return;
    if (request.done) request.done(answer);
    else request.answer = answer;
  }

  private receive(message: GroupMessage, reply: (answer: GroupMessage) => void): void {
    if (message.type === 'JOINACK') this.hearJoinAnswer(message);
    else if (this.session) this.session.receive(message, reply);
    else if (message.type === 'JOIN' && message.from.boot !== this.boot)
      reply({
        ...this.envelope(0),
        type: 'JOINACK',
        nonce: message.nonce,
        answer: { outcome: 'not-leader' },
      });
  }

  private envelope(id: number) {
    const { address, boot } = this;
    return {
      ...({ v: WIRE_VERSION, group: this.options.group, epoch: 0, to: 0 } as const),
      from: { id, address, boot, incarnation: 0 },
    };
  }

  private transmit(address: string, message: GroupMessage, unreachable?: (error: Error) => void): void {
    this.sent[message.type] = (this.sent[message.type] ?? 0) + 1;
    this.transport.send(address, message, unreachable);
  }

  private sessionPort(): SessionPort {
    const { options, access, watch, address, boot, name } = this;
    const { clock, random } = options;
    return {
      options,
      access,
      watch,
      address,
      boot,
      name,
      clock,
      random,
      floor: () => this.floor,
      raiseFloor: (term) => {
        this.floor = Math.max(this.floor, term);
      },
      transmit: (to, message, unreachable) => this.transmit(to, message, unreachable),
      memberChanged: (changed) => this.fire('member', changed),
      leaderChanged: (leader) => this.fire('leader', leader),
      lease: (lease) => this.fire('lease', lease),
      lost: (loss) => this.fire('lost', loss),
      leave: (why) => this.leave(why),
      failed: (error) => this.fire('error', error),
    };
  }

  private leave(why: 'expelled' | 'outdated'): void {
    const { session } = this;
    if (!session || this.rejoining) return;
    this.session = null;
    this.rejoining = this.rejoin(session, why).finally(() => (this.rejoining = undefined));
  }

  private async rejoin(session: GroupSession, why: 'expelled' | 'outdated'): Promise<void> {
    await session.end(why === 'outdated');
    this.fire('left', why);
    const { signal } = this.stopping;
    while (!signal.aborted && !this.session)
      try {
        await this.join();
      } catch (error) {
        this.fire('error', toError(error));
        if (error instanceof AddressInUseError) continue;
        await pause(this.options.joinWait, this.options.clock, signal);
      }
  }
}

import type { LossReason, TimerHandle } from '@detector-cluster/election';
import { createDetector, type FailureDetector } from '../detector/failure-detector.js';
import { BullyElection } from './bully-election.js';
import { infoOfRecord, isNewer, type LeaderInfo, type LeaderRecord } from '../store/leader-record.js';
import { isActive, type Member, MemberView, pickRandom } from '../detector/member-view.js';
import { Gossip } from '../detector/gossip.js';
import type { GroupMessage, MessageBody, MessageOf } from '../transport/message.js';
import { JoinHandler, membersForJoin } from './join-handler.js';
import { Leadership } from './leadership.js';
import { Mailer } from './mailer.js';
import { PingExchange } from './ping-exchange.js';
import type { Membership, SessionPort } from './session-port.js';

/** Number of members that are notified directly of a failure; the others learn of it from pings. */
const RECIPIENTS = 3;

/** Number of members, those with the highest ids, that read the store when the leader is suspected. */
const WATCHERS = 3;

/** One membership, from joining to leaving: what the member knows, and how it behaves towards the others. */
export class GroupSession {
  readonly id: number;
  readonly epoch: number;
  readonly view = new MemberView();
  /** The last known leader; id 0 while there is none. */
  leader: LeaderInfo | null = null;
  private readonly gossip = new Gossip(this.view);
  private readonly pings: PingExchange;
  private readonly detector: FailureDetector;
  private readonly election: BullyElection;
  private readonly leadership: Leadership;
  private readonly joinHandler: JoinHandler;
  private readonly mailer: Mailer;
  private readonly ended: { id: number; at: number }[] = [];
  private forgetTimer: TimerHandle | undefined;
  /** Raised to refute a suspicion. */
  incarnation: number;
  private barredUntil = -Infinity;
  private barTimer: TimerHandle | undefined;
  private over = false;

  constructor(
    private readonly port: SessionPort,
    private readonly membership: Membership,
  ) {
    const { clock, random, options, address, boot } = port;
    const { id, epoch, incarnation, members } = membership;
    this.id = id;
    this.epoch = epoch;
    this.incarnation = incarnation;
    for (const member of members) this.view.apply(member);
    this.view.apply({ id, address, boot, status: 'alive', incarnation });
    this.mailer = new Mailer(port, this);
    this.detector = createDetector(options, {
      clock,
      random,
      others: () => this.others(),
      ping: (member) => this.pings.ping(member),
      pingThrough: (helper, target) => this.pings.pingThrough(helper, target),
      suspect: (member) => this.suspect(member),
      fail: (member) => this.fail(member),
    });
    this.leadership = new Leadership({
      session: port,
      view: this.view,
      id,
      epoch,
      ping: (to) => this.pings.ping(this.view.get(to)!),
      isLed: (record, changed) => this.isLed(record, changed),
      revision: () => this.leader?.revision ?? 0,
      leads: (info) => {
        this.adopt(info);
        this.broadcast({ type: 'COORDINATOR', leader: info });
      },
      renewed: (info) => this.adopt(info),
      vacated: (vacancy) => this.vacate(vacancy),
    });
    this.pings = new PingExchange({
      clock,
      mailer: this.mailer,
      view: this.view,
      gossip: this.gossip,
      detector: this.detector,
      leader: () => this.leader,
      learn: (member) => this.learn(member),
      adopt: (info) => this.adopt(info),
      answered: (id, sentAt) => this.leadership.answered(id, sentAt),
    });
    this.election = new BullyElection(
      {
        clock,
        self: id,
        electable: () => this.electable(),
        ask: (to) => this.mailer.send(this.view.get(to)!, { type: 'ELECTION' }),
        claim: () => this.leadership.claim(),
        yield: () => this.leadership.stopClaiming(),
      },
      {
        answerTimeout: options.pingCycle,
        timeout: options.leaseTtl + options.pingCycle * options.failureThreshold,
      },
    );
    this.joinHandler = new JoinHandler({
      view: this.view,
      leadershipTerm: () => this.leadership.leadershipTerm,
      learn: (member) => this.learn(member),
      accept: (member) => ({
        outcome: 'accepted',
        id: member.id,
        incarnation: member.incarnation,
        leader: this.leader!,
        members: membersForJoin(this.view, id),
      }),
    });
  }

  /** Takes part from now on. */
  start(): void {
    const { founded, leader } = this.membership;
    this.detector.start();
    if (founded) {
      const { record, sentAt, reason, actFrom } = founded;
      this.leadership.begin(record, sentAt, reason, actFrom);
    } else if (leader) this.adopt(leader);
  }

  /** Whether it leads and may act at this instant. */
  get mayAct(): boolean {
    return this.port.clock.now() < this.leadership.validUntil;
  }

  get leads(): boolean {
    return this.leadership.leadershipTerm !== null;
  }

  /** Gives up leadership, if held, and lets others go first. Never rejects. */
  resign(reason: LossReason = 'resigned'): Promise<void> {
    return this.leadership.resign(reason);
  }

  /**
   * Ends the session.
   * @param departing Whether to notify the other members.
   * @param release Whether to release the lease in the store; otherwise it expires.
   */
  async end(departing: boolean, release = true): Promise<void> {
    if (this.over) return;
    this.over = true;
    this.detector.stop();
    this.election.settled();
    this.port.clock.clearTimeout(this.barTimer);
    this.port.clock.clearTimeout(this.forgetTimer);
    await this.leadership.end('stopped', release);
    if (departing) this.broadcast({ type: 'DEPARTING', leader: this.leader });
  }

  receive(message: GroupMessage, reply: (answer: GroupMessage) => void): void {
    if (this.over) return;
    if (message.type === 'JOIN') return void this.answerJoin(message, reply);
    const { from, to, epoch } = message;
    if (epoch !== this.epoch) return this.fromAnotherEpoch(message);
    // The message is for an earlier member at this address.
    if ((to !== 0 && to !== this.id) || from.id === 0 || from.id === this.id) return;
    const sender = this.view.get(from.id);
    if (sender && !isActive(sender)) return this.fromTheDead(message, sender);
    this.learn({ ...from, status: 'alive' });
    this.detector.heard(from.id);
    switch (message.type) {
      case 'PING':
        return this.pings.answer(message);
      case 'ACK':
        return this.pings.hearAck(message);
      case 'COORDINATOR':
        return this.adopt(message.leader);
      case 'ELECTION':
        return this.answerElection(message);
      case 'OKAY':
        return this.election.okay(from.id);
      case 'DEPARTING':
        if (message.leader) this.adopt(message.leader);
        return this.learn({ ...from, status: 'departed' });
      case 'FAILURE':
        return this.hearFailure(message);
      default:
    }
  }

  private others(): Member[] {
    return this.view.activeMembers().filter(({ id }) => id !== this.id);
  }

  private electable(): number[] {
    const barred = this.leader?.id === 0 ? this.leader.barred : 0;
    return this.view
      .activeMembers()
      .map(({ id }) => id)
      .filter((id) => id === this.id || id !== barred);
  }

  private beginElection(): void {
    if (!this.over && this.port.clock.now() >= this.barredUntil) this.election.begin();
  }

  /** Adopts the leader, if the information is newer. */
  private adopt(info: LeaderInfo): void {
    if (this.over || !isNewer(info, this.leader)) return;
    if (info.id === this.id && !this.leads) return;
    this.port.raiseFloor(info.term);
    const known = this.view.get(info.id);
    // Members led by a leader that is dead to this member have newer information.
    if (known && !isActive(known)) return this.leave('outdated');
    const previous = this.leader;
    this.leader = info;
    this.port.watch.heard(info);
    if (info.id !== this.id && this.leads) void this.resign('refused');
    this.election.settled();
    if (info.id !== this.id) this.leadership.stopClaiming();
    if (info.id !== previous?.id || info.term !== previous.term) this.port.leaderChanged(info);
    if (info.id === 0) this.beginElection();
  }

  private isLed(record: LeaderRecord, changed: boolean): boolean {
    if (record.epoch > this.epoch) {
      this.broadcast({ type: 'COORDINATOR', leader: infoOfRecord(record) }, record.epoch);
      this.leave('outdated');
      return true;
    }
    const { leader, term } = record;
    if (!leader) return false;
    const isNews = term > (this.leader?.term ?? 0) || changed;
    if (isNews && isActive(this.view.get(leader.id))) {
      this.adopt(infoOfRecord(record));
      return true;
    }
    // The leader is alive, but this member considers it dead. If that is mutual, the leader answers so.
    if (changed) this.pings.send(leader);
    return false;
  }

  private vacate(vacancy: LeaderInfo): void {
    if (this.over) {
      this.leader = vacancy;
      return;
    }
    const { clock, options } = this.port;
    this.barredUntil = clock.now() + options.cooldown;
    clock.clearTimeout(this.barTimer);
    this.barTimer = clock.setTimeout(() => {
      // Do not compare clocks here: a timer may fire a fraction of a millisecond early.
      this.barredUntil = -Infinity;
      // A leader that was adopted during the cooldown may have failed during it, too.
      if (!this.leader || !isActive(this.view.get(this.leader.id))) this.beginElection();
    }, options.cooldown);
    this.broadcast({ type: 'COORDINATOR', leader: vacancy });
    this.adopt(vacancy);
  }

  private learn(update: Member): void {
    if (this.over) return;
    if (update.id === this.id) return this.hearOfMyself(update);
    // Members forget ended members at different times. They must not remind each other of them forever.
    if (!isActive(update) && !this.view.get(update.id)) return;
    if (!this.view.apply(update)) return;
    const member = this.view.get(update.id)!;
    this.gossip.spread(member.id);
    this.detector.changed(member);
    this.leadership.memberChanged(member);
    this.port.memberChanged(member);
    if (!isActive(member)) this.gone(member);
    else if (member.status === 'suspect' && member.id === this.leader?.id) this.watchRecord();
  }

  /** If this member may have to replace the leader, it now begins to wait for the end of the leader's lease. */
  private watchRecord(): void {
    const higher = this.electable().filter((id) => id > this.id && id !== this.leader?.id);
    if (higher.length >= WATCHERS) return;
    const { access, watch } = this.port;
    access.read().then(
      (look) => watch.saw(look),
      (error: Error) => this.port.failed(error),
    );
  }

  private gone(member: Member): void {
    this.ended.push({ id: member.id, at: this.port.clock.now() });
    this.forgetTimer ??= this.forgetIn(this.port.options.rememberFor);
    if (this.leader?.id === member.id) this.beginElection();
    else this.election.changed();
  }

  private forgetIn(delay: number): TimerHandle {
    const { clock, options } = this.port;
    return clock.setTimeout(() => {
      const until = clock.now() - options.rememberFor;
      while (this.ended[0] && this.ended[0].at <= until) this.view.forget(this.ended.shift()!.id);
      this.forgetTimer = this.ended[0] && this.forgetIn(this.ended[0].at - until);
    }, delay);
  }

  private hearOfMyself({ status, incarnation }: Member): void {
    if (status === 'failed' || status === 'departed') return this.leave('expelled');
    if (incarnation < this.incarnation || (status === 'alive' && incarnation === this.incarnation)) return;
    this.incarnation = incarnation + 1;
    const { address, boot } = this.port;
    this.view.apply({ id: this.id, address, boot, status: 'alive', incarnation: this.incarnation });
    this.gossip.spread(this.id);
  }

  private suspect(member: Member): void {
    if (member.status === 'suspect') return;
    this.learn({ ...member, status: 'suspect' });
    // So that it can refute at once.
    this.pings.ping(member);
  }

  private fail(member: Member): void {
    const failed: Member = { ...member, status: 'failed' };
    this.learn(failed);
    if (this.over) return;
    const others = this.others();
    const recipients = pickRandom(others, RECIPIENTS, this.port.random);
    const highest = others.reduce<Member | undefined>((a, b) => (a && a.id > b.id ? a : b), undefined);
    if (highest) recipients.push(highest);
    for (const to of new Set([...recipients, failed]))
      this.mailer.send(to, { type: 'FAILURE', members: [failed], leader: this.leader });
  }

  private answerElection({ from }: MessageOf<'ELECTION'>): void {
    const { leader } = this;
    if (leader && leader.id !== 0 && this.view.get(leader.id)?.status === 'alive')
      return this.mailer.send(from, { type: 'COORDINATOR', leader });
    if (this.port.clock.now() < this.barredUntil) return;
    this.mailer.send(from, { type: 'OKAY' });
    this.beginElection();
  }

  private hearFailure({ from, members, leader }: MessageOf<'FAILURE'>): void {
    const me = members.find(({ id }) => id === this.id);
    // Ignore a sender with older information about the leader.
    if (me && this.leader && (!leader || isNewer(this.leader, leader))) {
      const sender = this.view.get(from.id);
      if (sender && !isActive(sender))
        this.mailer.send(sender, { type: 'FAILURE', members: [sender], leader: this.leader });
      return;
    }
    for (const update of members) this.learn(update);
  }

  /** Handles a message from a member that has ended in this member's view, but is alive. */
  private fromTheDead(message: GroupMessage, sender: Member): void {
    if (message.type === 'FAILURE') return this.hearFailure(message);
    if (message.type === 'DEPARTING') return;
    const leader = 'leader' in message ? message.leader : null;
    // The sender holds the lease in the store, so this member was the one that was cut off.
    if (leader?.id === sender.id && isNewer(leader, this.leader)) return this.leave('outdated');
    if (message.type === 'COORDINATOR' && isNewer(message.leader, this.leader)) return this.leave('outdated');
    this.mailer.send(message.from, { type: 'FAILURE', members: [sender], leader: this.leader });
  }

  private fromAnotherEpoch({ epoch, from }: GroupMessage): void {
    if (epoch > this.epoch) return this.leave('outdated');
    if (epoch > 0 && this.leader) this.mailer.send(from, { type: 'COORDINATOR', leader: this.leader });
  }

  private async answerJoin(message: MessageOf<'JOIN'>, reply: (answer: GroupMessage) => void): Promise<void> {
    const answer = await this.joinHandler.handle(message);
    if (!answer || this.over) return;
    // Reply on the connection: the address may belong to another member.
    reply(this.mailer.compose(0, { type: 'JOINACK', nonce: message.nonce, answer }));
  }

  private leave(why: 'expelled' | 'outdated'): void {
    if (!this.over) this.port.leave(why);
  }

  private broadcast(body: MessageBody, epoch?: number): void {
    this.mailer.sendAll(this.others(), body, epoch);
  }
}

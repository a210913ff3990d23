import type { Clock } from '@detector-cluster/election';
import type { FailureDetector } from '../detector/failure-detector.js';
import type { LeaderInfo } from '../store/leader-record.js';
import type { MessageBody, MessageOf } from '../transport/message.js';
import type { Gossip } from '../detector/gossip.js';
import type { Member, MemberView } from '../detector/member-view.js';
import type { Mailer, Recipient } from './mailer.js';

interface Probe {
  readonly id: number;
  readonly sentAt: number;
  /** The member that the answer is forwarded to. */
  readonly relay: { readonly id: number; readonly address: string; readonly seq: number } | undefined;
}

/** Maximum number of pending PINGs; beyond it the oldest are dropped. */
const KEPT = 1_000;

/** PINGs that are waiting for their ACK. */
class Probes {
  private readonly sent = new Map<number, Probe>();
  private seq = 0;

  constructor(private readonly clock: Clock) {}

  /** Returns the number of the new PING. */
  open(id: number, relay?: Probe['relay']): number {
    if (this.sent.size >= KEPT) this.sent.delete(this.sent.keys().next().value!);
    this.sent.set(++this.seq, { id, sentAt: this.clock.now(), relay });
    return this.seq;
  }

  /** The PING that an ACK of `id` answers; `undefined` if it was already answered or never sent. */
  close(seq: number, id: number): Probe | undefined {
    const probe = this.sent.get(seq);
    if (probe?.id !== id) return undefined;
    this.sent.delete(seq);
    return probe;
  }
}

export interface PingExchangeOptions {
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly view: MemberView;
  readonly gossip: Gossip;
  readonly detector: FailureDetector;
  /** The last known leader. */
  readonly leader: () => LeaderInfo | null;
  readonly learn: (update: Member) => void;
  readonly adopt: (leader: LeaderInfo) => void;
  /** A member has answered a PING that was sent at `sentAt`. */
  readonly answered: (id: number, sentAt: number) => void;
}

/**
 * PINGs and their ACKs. They show that a member lives, directly or through a helper, and both carry updates about the members and the
 * leader.
 */
export class PingExchange {
  private readonly probes: Probes;

  constructor(private readonly options: PingExchangeOptions) {
    this.probes = new Probes(options.clock);
  }

  /** Sends a PING. A member whose address refuses it has ended. */
  ping(member: Recipient): void {
    const { detector, mailer } = this.options;
    mailer.send(member, this.body(member), () => detector.refused(member.id));
  }

  /** Sends a PING whose failure shows nothing. */
  send(to: Recipient): void {
    this.options.mailer.send(to, this.body(to));
  }

  /** Has a helper ping the target. */
  pingThrough(helper: Recipient, { id, address }: Recipient): void {
    this.options.mailer.send(helper, this.body(helper, { id, address }));
  }

  answer(message: MessageOf<'PING'>): void {
    const { mailer } = this.options;
    this.hearNews(message);
    const { from, seq, target } = message;
    if (!target) return mailer.send(from, { type: 'ACK', seq, ...this.news(from.id) });
    const relay = { id: from.id, address: from.address, seq };
    mailer.send(target, this.body(target, undefined, relay));
  }

  hearAck(message: MessageOf<'ACK'>): void {
    const { answered, detector, mailer } = this.options;
    const { from, seq, target } = message;
    const probe = this.probes.close(seq, from.id);
    if (probe && target) detector.heard(target.id);
    else if (probe) answered(from.id, probe.sentAt);
    const relay = probe?.relay;
    if (relay)
      mailer.send(relay, {
        type: 'ACK',
        seq: relay.seq,
        ...this.news(relay.id),
        target: { id: from.id, address: from.address },
      });
    this.hearNews(message);
  }

  private body(to: { readonly id: number }, target?: Recipient, relay?: Probe['relay']): MessageBody<'PING'> {
    const seq = this.probes.open(to.id, relay);
    return { type: 'PING', seq, ...this.news(to.id), ...(target && { target }) };
  }

  private news(receiver: number) {
    const { gossip, leader, view } = this.options;
    return { updates: gossip.updatesFor(receiver), digest: view.digest, leader: leader() };
  }

  private hearNews({ from, updates, digest, leader }: MessageOf<'PING' | 'ACK'>): void {
    const { adopt, gossip, learn } = this.options;
    for (const update of updates) learn(update);
    if (leader) adopt(leader);
    gossip.compare(from.id, digest);
  }
}

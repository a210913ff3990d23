import type { AcquisitionReason, ElectionState, LossReason } from '../../contract/election-backend.js';
import { StoreRestartedError } from '../../contract/errors.js';
import { Cooldown } from '../../lease/cooldown.js';
import { FollowerReports } from '../../lease/follower-reports.js';
import { Backoff } from '../../util/backoff.js';
import { type ClockInstant, deadlineAfter, instantOf, validityOf } from '../../util/clock.js';
import { toError } from '../../util/to-error.js';
import { Condition } from '../../util/condition.js';
import type { EtcdHeader } from './etcd-api.js';
import type { EtcdError } from './etcd.error.js';
import type { EtcdEvent, EtcdWatch } from './etcd-watch.js';
import type { EtcdElectionKeys } from './etcd-election-keys.js';
import type { ResolvedEtcdElectionOptions } from './etcd-election-options.js';
import { type EtcdMemory, type LeaderRecord, readLeaderRecord } from './etcd-memory.js';
import type { EtcdQueue, Place, QueueView } from './etcd-queue.js';

interface CampaignContext {
  readonly queue: EtcdQueue;
  readonly keys: EtcdElectionKeys;
  readonly options: ResolvedEtcdElectionOptions;
  readonly memory: EtcdMemory;
  readonly candidateId: string;
  readonly signal: AbortSignal;
  /** The part of `signal` that the reader of the states aborts. The reader does not need a final state. */
  readonly consumer: AbortSignal;
}

interface EtcdLeadership {
  readonly term: number;
  /** How long its lease lasts without renewal. Milliseconds. */
  readonly ttl: number;
  readonly termOffset: number;
  validUntil: number;
  leaseUntil: number;
}

/**
 * One candidate's campaign: takes a place in the queue, keeps it, and leads when its place is the first.
 *
 * A turn renews the lease and then reads the queue through the same member, with the consent of a majority. The renewal counts
 * only if the raft term was the same both times: then the current leader of the cluster made it, which decides when the lease
 * ends. An old leader of the cluster that does not know its successor also renews leases, without effect.
 */
export class EtcdCampaign {
  private readonly condition: Condition;
  private readonly backoff: Backoff;
  private readonly watchBackoff: Backoff;
  private place: Place | undefined;
  private leadership: EtcdLeadership | undefined;
  private watch:
    { readonly key: string | undefined; readonly stream: EtcdWatch; readonly since: number } | undefined;
  private readonly news: ElectionState[] = [];
  private readonly reports = new FollowerReports();
  private readonly cooldown: Cooldown;
  /** When to renew and to look, monotonic. */
  private nextTurn = -Infinity;
  /** Why the next term of this candidate will have begun, unless the last leader has said that it hands over. */
  private ending: AcquisitionReason = 'vacant';

  constructor(private readonly context: CampaignContext) {
    const { clock, random } = context.options;
    this.condition = new Condition(clock);
    this.cooldown = new Cooldown(clock);
    this.backoff = new Backoff(random);
    this.watchBackoff = new Backoff(random);
  }

  async *states(): AsyncGenerator<ElectionState> {
    const { signal, consumer, options } = this.context;
    const { clock } = options;
    try {
      while (!signal.aborted) {
        const heard = this.news.shift();
        if (heard) yield heard;
        else if (clock.now() < this.nextTurn) await this.condition.wait(this.nextTurn - clock.now(), signal);
        else {
          const state = await this.turn();
          if (state && !signal.aborted) yield state;
        }
      }
      // The current leader steps down when it reads this, before the store is updated.
      if (this.leadership && !consumer.aborted)
        yield { role: 'follower', leaderId: null, term: this.leadership.term };
    } finally {
      this.watch?.stream.close();
      await this.release();
    }
  }

  async resign(): Promise<void> {
    if (!this.place) return;
    this.cooldown.begin();
    await this.release();
    this.turnNow();
  }

  /** Gives up the claim, if one is held or may be. */
  private async release(): Promise<void> {
    const { place, leadership } = this;
    this.abandon();
    if (place && leadership) {
      this.ending = 'expired';
      await this.context.queue.sayReleased(place, leadership).catch(() => undefined);
    }
    await this.settle().catch(() => undefined);
  }

  private async turn(): Promise<ElectionState | undefined> {
    const { clock, heartbeatInterval, random } = this.context.options;
    try {
      this.nextTurn = clock.now() + heartbeatInterval * (0.9 + 0.1 * random());
      await this.settle();
      const state = this.cooldown.active ? await this.onlyRead() : await this.compete();
      this.backoff.reset();
      return state;
    } catch (error) {
      this.nextTurn = clock.now() + this.backoff.next(heartbeatInterval / 2);
      return this.reports.failed(toError(error));
    }
  }

  private async onlyRead(): Promise<ElectionState | undefined> {
    const view = await this.context.queue.read();
    this.nextTurn = Math.min(this.nextTurn, this.cooldown.until);
    this.remember(view);
    await this.follow(view, undefined);
    return this.report(view);
  }

  private async compete(): Promise<ElectionState | undefined> {
    const { queue, candidateId, options } = this.context;
    let place = (this.place ??= queue.newPlace());
    if (place.createRevision === undefined) {
      const taken = await queue.take(place, candidateId);
      if (this.place !== place) return undefined;
      this.place = place = taken;
    }
    const sent = instantOf(options.clock);
    const { header, ttl } = await queue.renew(place);
    const view = await queue.read(place);
    // Given up while an answer was in flight.
    if (this.place !== place) return undefined;
    this.remember(view);
    if (ttl <= 0 || !view.present) return this.removed(view, ttl <= 0 ? 'expired' : 'refused');
    if (view.first?.key !== place.key) {
      if (this.leadership) return this.removed(view, 'refused');
      await this.follow(view, view.before);
      if (this.knowsOfLoss(view)) await queue.raiseTermOffset(this.context.memory.floor, view);
      return this.report(view);
    }
    await this.follow(view, place.key);
    return this.lead(place, view, sent, ttl, header);
  }

  private async lead(
    place: Place,
    view: QueueView,
    sent: ClockInstant,
    ttl: number,
    renewedBy: EtcdHeader,
  ): Promise<ElectionState | undefined> {
    const { queue, memory, options, candidateId } = this.context;
    const { clock } = options;
    const termOffset = offsetOf(view);
    const term = place.createRevision! + termOffset;
    // The store lost its data, and a candidate knows of higher terms.
    if (this.leadership && this.leadership.termOffset !== termOffset) return this.removed(view, 'refused');
    if (!this.leadership && term <= memory.floor) {
      await queue.raiseTermOffset(memory.floor, view);
      this.turnNow();
      return undefined;
    }
    const quiet = memory.quietUntil - clock.now();
    if (quiet > 0) {
      this.nextTurn = Math.min(this.nextTurn, memory.quietUntil);
      return this.reports.failed(new StoreRestartedError(quiet));
    }
    queue.checkReign(renewedBy, view.header);
    const from = deadlineAfter(sent, 0, clock);
    const first = !this.leadership;
    const leadership = (this.leadership ??= {
      term,
      ttl,
      termOffset,
      validUntil: -Infinity,
      leaseUntil: -Infinity,
    });
    leadership.validUntil = Math.max(leadership.validUntil, from + validityOf(ttl));
    leadership.leaseUntil = Math.max(leadership.leaseUntil, from + ttl);
    memory.saw(term, ttl);
    this.reports.forget();
    // Earlier events are outdated.
    this.news.length = 0;
    const { validUntil, leaseUntil } = leadership;
    const record = readLeaderRecord(view.leader.text ?? '');
    if (record?.id == null || record.term !== term)
      queue
        .announce(place, { id: candidateId, term, ttl }, view)
        .catch((error: unknown) => this.hear(this.reports.failed(toError(error))));
    return {
      role: 'leader',
      term,
      validUntil,
      leaseUntil,
      sentAt: sent.monotonic,
      ...(first && { reason: this.reason(record) }),
    };
  }

  private reason(record: LeaderRecord | undefined): AcquisitionReason {
    return this.ending === 'expired' && record?.id === null ? 'released' : this.ending;
  }

  /** The place is gone, or of no use. */
  private removed(view: QueueView, reason: LossReason): ElectionState | undefined {
    const { leadership } = this;
    this.abandon();
    this.turnNow();
    if (!leadership) return undefined;
    this.ending = 'expired';
    return this.reports.lost(null, Math.max(leadership.term, termOf(view) ?? 0), reason);
  }

  private abandon(): void {
    if (this.place) this.context.memory.releases.add(this.place.lease);
    this.place = undefined;
    this.leadership = undefined;
    this.reports.forget();
  }

  private settle(): Promise<void> {
    const { memory, queue } = this.context;
    return memory.releases.settle((lease) => queue.leave(lease));
  }

  /** Watches what matters to this candidate from `view` on. */
  private async follow(view: QueueView, key: string | undefined): Promise<void> {
    const { queue, options, signal } = this.context;
    if (this.watch && this.watch.key === key) return;
    this.watch?.stream.close();
    this.watch = undefined;
    const stream = await queue.watch(key, view);
    if (signal.aborted) return stream.close();
    this.watch = { key, stream, since: options.clock.now() };
    stream.listen(
      (event) => this.happened(event),
      (error) => this.watchFailed(error),
    );
  }

  private happened({ type, kv }: EtcdEvent): void {
    const { keys, memory } = this.context;
    const key = kv.key.toString();
    if (key !== keys.leader) {
      if (key === keys.termOffset || type === 'DELETE') this.turnNow();
      return;
    }
    if (this.leadership) return;
    const record = type === 'PUT' ? readLeaderRecord(kv.value.toString()) : undefined;
    if (record && record.term < memory.floor) return;
    this.hear(this.known(record ?? { id: null, term: memory.floor, ttl: 0 }));
  }

  private watchFailed(error: EtcdError): void {
    const { clock, heartbeatInterval } = this.context.options;
    if (this.watch && clock.now() - this.watch.since > heartbeatInterval) this.watchBackoff.reset();
    this.watch = undefined;
    this.nextTurn = Math.min(this.nextTurn, clock.now() + this.watchBackoff.next(heartbeatInterval / 2));
    this.hear(this.reports.failed(error));
  }

  private remember({ header }: QueueView): void {
    const { memory, options } = this.context;
    if (memory.hasLostData(header))
      memory.quietUntil = options.clock.now() + Math.max(options.lockTtl, memory.validity);
  }

  private knowsOfLoss(view: QueueView): boolean {
    return (termOf(view) ?? Infinity) < this.context.memory.floor;
  }

  private report(view: QueueView): ElectionState | undefined {
    const { memory } = this.context;
    const record = readLeaderRecord(view.leader.text ?? '');
    // The first candidate in the queue may not know yet that it leads.
    if (record && record.term === termOf(view) && record.term >= memory.floor) return this.known(record);
    return this.known({ id: null, term: memory.floor, ttl: 0 });
  }

  private known({ id, term, ttl }: LeaderRecord): ElectionState | undefined {
    const { memory } = this.context;
    memory.saw(term, ttl);
    if (id !== null) this.ending = 'expired';
    return this.reports.follow(id, term);
  }

  private hear(state: ElectionState | undefined): void {
    if (!state) return;
    this.news.push(state);
    this.condition.notify();
  }

  private turnNow(): void {
    this.nextTurn = -Infinity;
    this.condition.notify();
  }
}

function offsetOf({ termOffset }: QueueView): number {
  return Number(termOffset.text ?? 0) || 0;
}

/** The term of the first candidate in the queue. */
function termOf(view: QueueView): number | undefined {
  return view.first && view.first.createRevision + offsetOf(view);
}

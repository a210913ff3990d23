import type { Clock, LossReason, TimerHandle } from '@detector-cluster/election';
import { type ClockInstant, deadlineAfter, instantOf, toError } from '@detector-cluster/election/internal';
import type { LeaderRecord } from '../store/leader-record.js';
import type { RecordAccess } from '../store/record-access.js';

export interface LeadershipTermOptions {
  readonly access: RecordAccess;
  readonly clock: Clock;
  /** How long the leader may act after it sent a renewal. Milliseconds. */
  readonly validity: number;
  readonly renewInterval: number;
  /** The record by which it leads, as stored. */
  readonly record: LeaderRecord;
  /** When the write of that record was sent. */
  readonly sentAt: ClockInstant;
  /** The leader may not act before this time, because a leader whose record the store has lost may. Monotonic. Default: at once. */
  readonly actFrom?: number;
  /** Current ids of the voters. The leader must reach a majority of them. */
  voters(): readonly number[];
  renewed(): void;
  /** Not called after {@link LeadershipTerm.end}. */
  lost(reason: LossReason): void;
  failed(error: Error): void;
}

interface IdRequest {
  readonly resolve: (id: number) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Leadership by a record in the store: renews it by compare-and-set, assigns ids from it, and ends by the clock if a renewal
 * fails. Makes one write at a time; ids requested during a write go into the next.
 */
export class LeadershipTerm {
  /** What the store last confirmed. */
  record: LeaderRecord;
  /** Leads until then unless the store confirms a renewal. Monotonic. */
  validUntil: number;
  /** When the last confirmed write was sent. */
  private confirmedFrom: ClockInstant;
  private text: string | null;
  private requests: IdRequest[] = [];
  private writing: Promise<void> | undefined;
  private timer: TimerHandle | undefined;
  private ended = false;

  constructor(private readonly options: LeadershipTermOptions) {
    this.record = options.record;
    this.text = JSON.stringify(options.record);
    this.confirmedFrom = options.sentAt;
    this.validUntil = options.sentAt.monotonic + options.validity;
    this.schedule(options.renewInterval);
  }

  get term(): number {
    return this.record.term;
  }

  /** May act until then. Time in which the machine slept counts, even if the monotonic clock stopped. */
  get actUntil(): number {
    const { clock, validity } = this.options;
    return Math.min(this.validUntil, deadlineAfter(this.confirmedFrom, validity, clock));
  }

  /** Whether other leaders may no longer act. */
  get alone(): boolean {
    const { clock, actFrom = -Infinity } = this.options;
    return clock.now() >= actFrom;
  }

  isValid(): boolean {
    return !this.ended && this.options.clock.now() < this.actUntil;
  }

  /** Resolves with an id that was never used in this group. Rejects when the store fails or leadership ends. */
  allocate(): Promise<number> {
    if (this.ended) return Promise.reject(new Error('this member does not lead any more'));
    return new Promise((resolve, reject) => {
      this.requests.push({ resolve, reject });
      this.renewSoon();
    });
  }

  /** Writes as soon as the current write is done. */
  renewSoon(): void {
    if (!this.ended && !this.writing) this.schedule(0);
  }

  /**
   * Stops leading at once, then releases the record, so that other members do not have to wait. Keeps the record if this leader
   * could not act yet, because other members could not either.
   * @param departing Whether it leaves the group and no longer counts as a voter.
   * @returns The revision of the released record, or of the last record if it was not released.
   */
  async end(departing = false): Promise<number> {
    this.stop();
    await this.writing;
    if (!this.alone) return this.record.revision;
    try {
      const revision = await this.release(departing);
      if (revision !== null) return revision;
      // A renewal whose answer was lost may have changed the record, so release the stored one.
      if ((await this.reconsider()) === 'again')
        return (await this.release(departing)) ?? this.record.revision;
    } catch {
      // The lease expires by itself.
    }
    return this.record.revision;
  }

  /** @returns the revision of the released record; null when the store holds a different record. */
  private async release(departing: boolean): Promise<number | null> {
    const { record } = this;
    const voters = departing ? record.voters.filter((id) => id !== record.leader!.id) : record.voters;
    const released: LeaderRecord = { ...record, revision: record.revision + 1, leader: null, voters };
    const done = await this.options.access.swap(this.text, JSON.stringify(released));
    return done ? released.revision : null;
  }

  /** Stops leading at once, without updating the store. */
  stop(): void {
    this.ended = true;
    this.validUntil = -Infinity;
    this.options.clock.clearTimeout(this.timer);
    for (const { reject } of this.requests.splice(0)) reject(new Error('this member does not lead any more'));
  }

  private schedule(delay: number): void {
    const { clock } = this.options;
    clock.clearTimeout(this.timer);
    this.timer = clock.setTimeout(
      () => {
        this.writing ??= this.renew().finally(() => (this.writing = undefined));
      },
      Math.max(0, Math.min(delay, this.validUntil - clock.now())),
    );
  }

  private async renew(): Promise<void> {
    const { access, clock, validity, renewInterval } = this.options;
    if (clock.now() >= this.validUntil) return this.lose('expired');
    const requests = this.requests.splice(0);
    const next: LeaderRecord = {
      ...this.record,
      revision: this.record.revision + 1,
      lastId: this.record.lastId + requests.length,
      voters: [...this.options.voters()],
    };
    const text = JSON.stringify(next);
    const sentAt = instantOf(clock);
    try {
      const previous = this.record;
      const done = (await access.swap(this.text, text)) || (await this.reconsider());
      if (done === true) {
        // Even if the term has ended in the meantime: this is the record to release.
        this.record = next;
        this.text = text;
      }
      if (this.ended) return void refuse(requests, new Error('this member does not lead any more'));
      if (done === 'lost') {
        refuse(requests, new Error('another member leads'));
        return this.lose('refused');
      }
      if (done === 'again') {
        this.requests.unshift(...requests);
        return this.schedule(0);
      }
      this.confirmedFrom = sentAt;
      this.validUntil = Math.max(this.validUntil, sentAt.monotonic + validity);
      requests.forEach(({ resolve }, i) => resolve(previous.lastId + 1 + i));
      this.options.renewed();
      this.schedule(this.requests.length > 0 ? 0 : renewInterval);
    } catch (error) {
      refuse(requests, toError(error));
      if (this.ended) return;
      this.options.failed(toError(error));
      if (clock.now() >= this.validUntil) this.lose('expired');
      else this.schedule(renewInterval / 2);
    }
  }

  /** After a refusal: the record may be from an own write whose answer was lost, or the store may have lost its data. */
  private async reconsider(): Promise<'again' | 'lost'> {
    const { text, record } = await this.options.access.read();
    const { leader, term } = this.record;
    if (record?.term === term && record.leader?.boot === leader!.boot) {
      this.record = record;
      this.text = text;
      return 'again';
    }
    if (text !== null || !this.isValid()) return 'lost';
    this.text = null;
    return 'again';
  }

  private lose(reason: LossReason): void {
    if (this.ended) return;
    this.stop();
    this.options.lost(reason);
  }
}

function refuse(requests: readonly IdRequest[], error: Error): void {
  for (const { reject } of requests) reject(error);
}

/** How long a leader may act after it sent a renewal: shorter than others wait, because clock speeds may differ by 1 %. Milliseconds. */
export function validityOf(leaseTtl: number): number {
  return Math.floor(leaseTtl * 0.98) - 1;
}

import type { AcquisitionReason, LossReason, TimerHandle } from '@detector-cluster/election';
import { type ClockInstant, pause } from '@detector-cluster/election/internal';
import { claim, type ClaimResult } from '../lease/claim.js';
import { infoOfRecord, type LeaderInfo, type LeaderRecord } from '../store/leader-record.js';
import { LeadershipTerm, validityOf } from '../lease/leadership-term.js';
import { Quorum } from '../lease/quorum.js';
import { isActive, type Member, type MemberView } from '../detector/member-view.js';
import type { SessionPort } from './session-port.js';

export interface LeadershipPort {
  readonly session: SessionPort;
  readonly view: MemberView;
  readonly id: number;
  readonly epoch: number;
  ping(id: number): void;
  /** Takes in a record from the store. Returns whether it ends a claim. */
  isLed(record: LeaderRecord, changed: boolean): boolean;
  revision(): number;
  /** This member leads now. */
  leads(info: LeaderInfo): void;
  /** This member's record was renewed. */
  renewed(info: LeaderInfo): void;
  /** This member no longer leads; `vacancy` is the information for the other members. */
  vacated(vacancy: LeaderInfo): void;
}

/** How one member starts and stops leading. */
export class Leadership {
  private current: LeadershipTerm | null = null;
  private quorum: Quorum | null = null;
  private claiming: AbortController | undefined;
  private reason: AcquisitionReason = 'vacant';
  private heartbeat: TimerHandle | undefined;
  /** Runs until this member may act. */
  private acting: TimerHandle | undefined;
  private ending: Promise<unknown> = Promise.resolve();
  private reported = -Infinity;

  constructor(private readonly port: LeadershipPort) {}

  get leadershipTerm(): LeadershipTerm | null {
    return this.current;
  }

  /** Tries to lead until this or another member leads, or {@link stopClaiming} is called. */
  claim(): void {
    this.stopClaiming();
    this.claiming = new AbortController();
    void this.runClaim(this.claiming.signal);
  }

  stopClaiming(): void {
    this.claiming?.abort();
    this.claiming = undefined;
  }

  /**
   * Leads by a record that this member has written.
   * @param actFrom May not act before that. Monotonic.
   */
  begin(
    record: LeaderRecord,
    sentAt: ClockInstant,
    reason: AcquisitionReason,
    actFrom: number = -Infinity,
  ): void {
    const { session, view, id } = this.port;
    const { access, clock, options } = session;
    const now = clock.now();
    this.quorum ??= options.quorum ? new Quorum(id, record.voters) : null;
    for (const member of view.activeMembers()) this.quorum?.joined(member.id, now);
    for (const voter of record.voters)
      if (voter !== id && !isActive(view.get(voter))) this.quorum?.failed(voter, now);
    this.reason = reason;
    const leadershipTerm = new LeadershipTerm({
      access,
      clock,
      validity: validityOf(options.leaseTtl),
      renewInterval: options.renewInterval,
      record,
      sentAt,
      actFrom,
      voters: () => this.quorum?.voters ?? [],
      renewed: () => {
        this.port.renewed(infoOfRecord(leadershipTerm.record));
        this.report();
      },
      lost: (lost) => void this.finish(lost, false),
      failed: (error) => session.failed(error),
    });
    this.current = leadershipTerm;
    this.reported = -Infinity;
    this.port.leads(infoOfRecord(record));
    if (this.current !== leadershipTerm) return;
    if (leadershipTerm.alone) this.report();
    else this.acting = clock.setTimeout(() => this.report(), Math.ceil(actFrom - now));
    if (this.quorum) this.contact();
  }

  /** Gives up leadership, if held, and updates the store. A pending claim continues. Never rejects. */
  async resign(reason: LossReason): Promise<void> {
    if (this.current) await this.finish(reason, true);
    else await this.ending;
  }

  /**
   * Gives up leadership or the claim to it. Never rejects.
   * @param release Whether to release the lease in the store; otherwise it expires.
   */
  async end(reason: LossReason, release: boolean): Promise<void> {
    this.stopClaiming();
    if (this.current) await this.finish(reason, release);
    else await this.ending;
  }

  /** A member answered a message that was sent to it at this time. */
  answered(id: number, sentAt: number): void {
    if (this.quorum?.heard(id, sentAt)) this.current?.renewSoon();
    if (this.current && this.quorum) this.report();
  }

  memberChanged({ id, status }: Member): void {
    if (!this.quorum) return;
    const now = this.port.session.clock.now();
    if (status === 'alive') this.quorum.joined(id, now);
    else if (status === 'departed') this.quorum.departed(id);
    else if (status === 'failed') this.quorum.failed(id, now);
  }

  /** May act until then. */
  get validUntil(): number {
    if (!this.current?.alone) return -Infinity;
    return Math.min(this.current.actUntil, this.quorumUntil());
  }

  private async runClaim(signal: AbortSignal): Promise<void> {
    const { session, view, id, epoch } = this.port;
    const { address, name, boot, options } = session;
    await this.ending;
    const result: ClaimResult = await claim(
      {
        access: session.access,
        watch: session.watch,
        clock: session.clock,
        group: options.group,
        interval: options.renewInterval,
        claimant: { id, epoch, address, name, boot, leaseTtl: options.leaseTtl },
        floor: () => session.floor(),
        known: () => ({ lastId: highestId(view), revision: this.port.revision() }),
        isLed: (record, changed) => this.port.isLed(record, changed),
        mayClaim: (record) => this.confirm(record, signal),
        failed: (error) => session.failed(error),
      },
      signal,
    );
    if (result.outcome !== 'claimed') return;
    if (!signal.aborted) return this.begin(result.record, result.sentAt, result.reason, result.actFrom);
    // Too late: give the lease back.
    const released = { ...result.record, revision: result.record.revision + 1, leader: null };
    await session.access.swap(JSON.stringify(result.record), JSON.stringify(released)).catch(() => undefined);
  }

  /** Whether a majority answers now; always true without `quorum`. */
  private async confirm(record: LeaderRecord | null, signal: AbortSignal): Promise<boolean> {
    const { session, view, id } = this.port;
    if (!session.options.quorum) return true;
    const { clock, options } = session;
    const voters = record?.voters ?? view.activeMembers().map((member) => member.id);
    const quorum = new Quorum(
      id,
      voters.filter((voter) => view.get(voter)?.status !== 'departed'),
    );
    this.quorum = quorum;
    const since = clock.now();
    for (const voter of quorum.voters) if (isActive(view.get(voter))) this.port.ping(voter);
    const deadline = since + options.pingCycle;
    while (!signal.aborted) {
      const now = clock.now();
      if (quorum.confirmedAt(now) >= since) return true;
      if (now >= deadline) break;
      await pause(Math.max(1, options.pingCycle / 20), clock, signal);
    }
    return false;
  }

  private quorumUntil(): number {
    const { clock, options } = this.port.session;
    return this.quorum ? this.quorum.confirmedAt(clock.now()) + validityOf(options.leaseTtl) : Infinity;
  }

  /** Pings the voters; gives up leadership when contact with a majority is lost. */
  private contact(): void {
    const { clock, options } = this.port.session;
    if (!this.current || !this.quorum) return;
    if (clock.now() >= this.quorumUntil()) return void this.finish('unconfirmed', true);
    for (const voter of this.quorum.voters) if (isActive(this.port.view.get(voter))) this.port.ping(voter);
    this.heartbeat = clock.setTimeout(
      () => this.contact(),
      Math.max(1, Math.min(options.renewInterval, this.quorumUntil() - clock.now())),
    );
  }

  private report(): void {
    if (!this.current) return;
    const { term, validUntil: leaseUntil } = this.current;
    const { validUntil } = this;
    if (validUntil <= this.reported) return;
    this.reported = validUntil;
    const sentAt = validUntil - validityOf(this.port.session.options.leaseTtl);
    this.port.session.lease({ term, validUntil, leaseUntil, sentAt, reason: this.reason });
  }

  private async finish(reason: LossReason, release: boolean): Promise<void> {
    const leadershipTerm = this.current!;
    const { term } = leadershipTerm;
    const { leaseTtl } = leadershipTerm.record;
    const { session, id } = this.port;
    this.current = null;
    this.quorum = null;
    session.clock.clearTimeout(this.heartbeat);
    session.clock.clearTimeout(this.acting);
    session.lost({ term, reason });
    leadershipTerm.stop();
    const end = release
      ? leadershipTerm.end(reason === 'stopped')
      : Promise.resolve(leadershipTerm.record.revision);
    this.ending = end;
    const revision = Math.max(await end, leadershipTerm.record.revision + 1);
    const vacancy = { id: 0, address: '', name: '', term, revision, leaseTtl, barred: id };
    this.port.vacated(vacancy);
  }
}

function highestId(view: MemberView): number {
  let highest = 0;
  for (const { id } of view.all()) highest = Math.max(highest, id);
  return highest;
}

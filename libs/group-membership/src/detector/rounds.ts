import type { TimerHandle } from '@detector-cluster/election';
import type { Member } from './member-view.js';
import type { DetectorPort, DetectorTimes, FailureDetector } from './failure-detector.js';

/**
 * The base of both detectors: a round each `pingCycle`, and suspicions that become failures unless they are refuted. A round that
 * begins late suspects no member, because this process itself was not listening.
 */
export abstract class Rounds implements FailureDetector {
  protected readonly lastHeard = new Map<number, number>();
  private readonly suspicions: Suspicions;
  private timer: TimerHandle | undefined;
  private due = 0;

  /** @param suspectAfter Cycles of silence that make a suspect, of the `failureThreshold`. */
  constructor(
    protected readonly port: DetectorPort,
    protected readonly times: DetectorTimes,
    suspectAfter: number,
  ) {
    this.suspicions = new Suspicions(Math.max(1, times.failureThreshold - suspectAfter) * times.pingCycle);
  }

  start(): void {
    // So that members that start together do not ping together.
    this.schedule(this.times.pingCycle * (0.5 + this.port.random() / 2));
  }

  stop(): void {
    this.port.clock.clearTimeout(this.timer);
    this.timer = undefined;
  }

  heard(id: number): void {
    this.lastHeard.set(id, this.port.clock.now());
  }

  changed(member: Member): void {
    this.suspicions.changed(member, this.port.clock.now());
    if (member.status === 'failed' || member.status === 'departed') this.lastHeard.delete(member.id);
  }

  abstract refused(id: number): void;
  /** Suspects the members that did not answer in the last round. */
  protected abstract judge(members: ReadonlyMap<number, Member>): void;
  protected abstract begin(members: ReadonlyMap<number, Member>): void;

  private schedule(delay: number): void {
    this.due = this.port.clock.now() + delay;
    this.timer = this.port.clock.setTimeout(() => this.round(), delay);
  }

  private round(): void {
    const { clock } = this.port;
    const { pingCycle } = this.times;
    const now = clock.now();
    const late = now - this.due;
    this.schedule(pingCycle);
    const members = new Map(this.port.others().map((member) => [member.id, member]));
    if (late > pingCycle / 2) this.suspicions.postpone(late + pingCycle);
    else {
      for (const id of this.suspicions.overdue(now)) {
        const member = members.get(id);
        if (member) this.port.fail(member);
        members.delete(id);
      }
      this.judge(members);
    }
    if (this.timer !== undefined) this.begin(members);
  }
}

/** The suspected members, and until when each may refute the suspicion. */
class Suspicions {
  private readonly deadlines = new Map<number, number>();

  /** @param timeout How long a member may take to refute. Milliseconds. */
  constructor(private readonly timeout: number) {}

  changed({ id, status }: Member, now: number): void {
    if (status !== 'suspect') this.deadlines.delete(id);
    else if (!this.deadlines.has(id)) this.deadlines.set(id, now + this.timeout);
  }

  /** Returns the members whose time is up, each once. */
  overdue(now: number): number[] {
    const ids = [...this.deadlines].filter(([, deadline]) => now >= deadline).map(([id]) => id);
    for (const id of ids) this.deadlines.delete(id);
    return ids;
  }

  /** Gives all suspects more time, because this process was not listening. */
  postpone(by: number): void {
    for (const [id, deadline] of this.deadlines) this.deadlines.set(id, deadline + by);
  }
}

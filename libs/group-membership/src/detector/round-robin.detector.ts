import type { Member } from './member-view.js';
import type { DetectorPort, DetectorTimes } from './failure-detector.js';
import { Rounds } from './rounds.js';

/** Cycles of silence that make a suspect. */
const SUSPECT_AFTER = 2;
/** Pings every member in each cycle: news spreads fast, but the load per member grows with the group. */
export class RoundRobinDetector extends Rounds {
  private readonly misses = new Map<number, number>();
  private roundAt = -Infinity;

  constructor(port: DetectorPort, times: DetectorTimes) {
    super(port, times, SUSPECT_AFTER);
  }

  /** This detector counts silent cycles only, and the member will be silent. */
  refused(): void {}

  override changed(member: Member): void {
    super.changed(member);
    if (member.status !== 'suspect') this.misses.delete(member.id);
  }

  protected judge(members: ReadonlyMap<number, Member>): void {
    for (const member of members.values()) {
      const heard = (this.lastHeard.get(member.id) ?? -Infinity) >= this.roundAt;
      const misses = heard ? 0 : (this.misses.get(member.id) ?? 0) + 1;
      this.misses.set(member.id, misses);
      if (misses >= Math.min(SUSPECT_AFTER, this.times.failureThreshold)) this.port.suspect(member);
    }
  }

  protected begin(members: ReadonlyMap<number, Member>): void {
    this.roundAt = this.port.clock.now();
    for (const member of members.values()) this.port.ping(member);
  }
}

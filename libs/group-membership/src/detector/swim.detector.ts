import type { TimerHandle } from '@detector-cluster/election';
import { type Member, pickRandom } from './member-view.js';
import type { DetectorPort, DetectorTimes } from './failure-detector.js';
import { Rounds } from './rounds.js';

/** The part of a cycle for a direct answer; an indirect answer has the rest. */
const DIRECT = 0.4;

/** Cycles of silence that make a suspect. */
const SUSPECT_AFTER = 1;

export interface SwimOptions {
  /** Members that are pinged in each cycle. */
  readonly probes: number;
  /** Members that are asked to ping a member that did not answer. */
  readonly helpers: number;
}

/**
 * Pings a few members in each cycle. Pings all members in turn, in an order that is shuffled for each pass. Asks other members to
 * ping those that do not answer. Load per member does not depend on the size of the group. After SWIM (Das, Gupta, Motivala 2002).
 */
export class SwimDetector extends Rounds {
  private ring: number[] = [];
  private readonly probed = new Map<number, number>();
  private helping: TimerHandle | undefined;

  constructor(
    port: DetectorPort,
    times: DetectorTimes,
    private readonly swim: SwimOptions,
  ) {
    super(port, times, SUSPECT_AFTER);
  }

  override stop(): void {
    super.stop();
    this.port.clock.clearTimeout(this.helping);
  }

  refused(id: number): void {
    const member = this.unanswered().find((each) => each.id === id);
    if (member) this.askOthers(member);
  }

  protected judge(members: ReadonlyMap<number, Member>): void {
    for (const member of this.unanswered()) if (members.has(member.id)) this.port.suspect(member);
  }

  protected begin(members: ReadonlyMap<number, Member>): void {
    this.probed.clear();
    const now = this.port.clock.now();
    for (const member of this.next(members)) {
      this.probed.set(member.id, now);
      this.port.ping(member);
    }
    this.port.clock.clearTimeout(this.helping);
    this.helping = this.port.clock.setTimeout(() => {
      for (const member of this.unanswered()) this.askOthers(member);
    }, this.times.pingCycle * DIRECT);
  }

  private askOthers(member: Member): void {
    const helpers = this.port.others().filter(({ id }) => id !== member.id);
    for (const helper of pickRandom(helpers, this.swim.helpers, this.port.random))
      this.port.pingThrough(helper, member);
  }

  private unanswered(): Member[] {
    const silent = (member: Member) => {
      const since = this.probed.get(member.id);
      return since !== undefined && (this.lastHeard.get(member.id) ?? -Infinity) < since;
    };
    return this.probed.size === 0 ? [] : this.port.others().filter(silent);
  }

  private next(members: ReadonlyMap<number, Member>): Member[] {
    const chosen = new Map<number, Member>();
    let refilled = false;
    while (chosen.size < Math.min(this.swim.probes, members.size)) {
      const id = this.ring.pop();
      if (id === undefined) {
        if (refilled) break;
        refilled = true;
        this.ring = pickRandom([...members.keys()], members.size, this.port.random);
        continue;
      }
      const member = members.get(id);
      if (member) chosen.set(id, member);
    }
    return [...chosen.values()];
  }
}

import type { Member, MemberView } from './member-view.js';
import { MAX_UPDATES } from '../transport/message.js';

/** Maximum number of updates in one message. */
export const PIGGYBACK = 8;

/** Maximum number of members in one message to a receiver whose view differs. */
export const CATCH_UP = MAX_UPDATES;

/** How often each update is passed on for each doubling of the group's size. */
const REPETITIONS = 3;

/**
 * Selects what a member sends to others about the members, a bounded part at a time: first the receiver's own entry, then updates,
 * the least often sent first. If the receiver's view differs, all other entries follow part by part.
 */
export class Gossip {
  private readonly sent = new Map<number, number>();
  private readonly differing = new Set<number>();
  private walk: number[] = [];

  constructor(private readonly view: MemberView) {}

  /** Queues an update about this member. */
  spread(id: number): void {
    this.sent.set(id, 0);
  }

  /** Compares the receiver's view, by the digest in its last message. */
  compare(id: number, digest: number): void {
    if (digest === this.view.digest) this.differing.delete(id);
    else this.differing.add(id);
  }

  /** The entries to send to this member now. */
  updatesFor(receiver: number): Member[] {
    const chosen = new Map<number, Member>();
    const add = (id: number) => {
      const member = this.view.get(id);
      if (member) chosen.set(id, member);
    };
    // Only the receiver can refute its own status.
    if (this.view.get(receiver)?.status !== 'alive') add(receiver);
    for (const id of this.freshest()) {
      if (chosen.size >= PIGGYBACK) break;
      add(id);
      this.count(id);
    }
    if (this.differing.has(receiver))
      for (let step = 0; chosen.size < CATCH_UP && step < this.view.size; step++) add(this.nextInWalk());
    return [...chosen.values()];
  }

  private freshest(): number[] {
    if (this.sent.size <= PIGGYBACK) return [...this.sent.keys()];
    return [...this.sent].sort(([, a], [, b]) => a - b).map(([id]) => id);
  }

  private count(id: number): void {
    const times = this.sent.get(id)! + 1;
    if (times >= REPETITIONS * Math.ceil(Math.log2(this.view.activeCount + 2))) this.sent.delete(id);
    else this.sent.set(id, times);
  }

  private nextInWalk(): number {
    if (this.walk.length === 0) this.walk = Array.from(this.view.all(), ({ id }) => id);
    return this.walk.pop() ?? 0;
  }
}

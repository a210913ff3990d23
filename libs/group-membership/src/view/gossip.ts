import type { Member } from '../model/member.js';
import { MAX_UPDATES } from '../wire/message.js';
import type { MemberView } from './member-view.js';

/** News in one message. */
export const PIGGYBACK = 8;

/** Members in one message to somebody whose view differs. */
export const CATCH_UP = MAX_UPDATES;

/** Each piece of news is passed on this often for each doubling of the group's size. */
const REPETITIONS = 3;

/**
 * What a member tells others about the members, a bounded part at a time: first what concerns the receiver, then news,
 * the least often told first, and where the receiver is known to know something else, one by one all the rest.
 */
export class Gossip {
  private readonly told = new Map<number, number>();
  private readonly differing = new Set<number>();
  private walk: number[] = [];

  constructor(private readonly view: MemberView) {}

  /** There is news of this member. */
  spread(id: number): void {
    this.told.set(id, 0);
  }

  /** Compares the receiver's view, as its last message gave it. */
  compare(id: number, digest: number): void {
    if (digest === this.view.digest) this.differing.delete(id);
    else this.differing.add(id);
  }

  /** What to tell this member now. */
  take(receiver: number): Member[] {
    const chosen = new Map<number, Member>();
    const add = (id: number) => {
      const member = this.view.get(id);
      if (member) chosen.set(id, member);
    };
    // It alone can refute what is said of it.
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
    if (this.told.size <= PIGGYBACK) return [...this.told.keys()];
    return [...this.told].sort(([, a], [, b]) => a - b).map(([id]) => id);
  }

  private count(id: number): void {
    const times = this.told.get(id)! + 1;
    if (times >= REPETITIONS * Math.ceil(Math.log2(this.view.activeCount + 2))) this.told.delete(id);
    else this.told.set(id, times);
  }

  private nextInWalk(): number {
    if (this.walk.length === 0) this.walk = Array.from(this.view.all(), ({ id }) => id);
    return this.walk.pop() ?? 0;
  }
}

import type { GuardedWrite } from '../../testing/history/guarded-write.js';

/** Something that only the leader writes, with a fence: the highest term it has seen. It outlives every fault. */
export class FencedResource {
  /** In the order in which they arrived. */
  readonly writes: GuardedWrite[] = [];
  private fence = 0;

  write(owner: string, term: number): void {
    const accepted = term >= this.fence;
    this.fence = Math.max(this.fence, term);
    this.writes.push({ owner, term, accepted });
  }
}

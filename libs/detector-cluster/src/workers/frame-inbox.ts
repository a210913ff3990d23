import { FrameLane, type LaneHooks } from './frame-lane.js';

/** How long frames are read in one turn of the event loop. Milliseconds. */
const SLICE = 5;

/**
 * Frames of many connections, read in slices of the event loop. The reports of a thousand workers can arrive in one turn of the loop;
 * read at once, they would hold up the lease and everything else for as long as they take together. The connections take turns: one that
 * has used its share of a turn waits until it has paid for it in later turns, so that a connection that floods delays only itself.
 */
export class FrameInbox {
  private readonly waiting = new Set<FrameLane>();
  private immediate: NodeJS.Immediate | undefined;
  private left = SLICE;
  /** Number of the turn. */
  turn = 0;

  constructor(readonly now: () => number = () => performance.now()) {}

  lane(hooks: LaneHooks): FrameLane {
    return new FrameLane(this, hooks);
  }

  /** Whether the frames of this turn have left time for another one. */
  get hasTime(): boolean {
    return this.left > 0;
  }

  /** Notes that reading has taken time. */
  spend(ms: number): void {
    this.left -= ms;
    this.immediate ??= setImmediate(() => this.nextTurn());
  }

  /** The lane has frames for later turns. */
  later(lane: FrameLane): void {
    this.waiting.add(lane);
    this.immediate ??= setImmediate(() => this.nextTurn());
  }

  forget(lane: FrameLane): void {
    this.waiting.delete(lane);
  }

  private nextTurn(): void {
    this.immediate = undefined;
    this.turn++;
    this.left = SLICE;
    for (let lanes = this.waiting.size; lanes > 0 && this.left > 0; lanes--) {
      const [lane] = this.waiting as Iterable<FrameLane> as unknown as [FrameLane];
      this.waiting.delete(lane);
      lane.readShare();
      if (lane.frames > 0) this.waiting.add(lane);
    }
    if (this.waiting.size > 0) this.immediate ??= setImmediate(() => this.nextTurn());
  }
}

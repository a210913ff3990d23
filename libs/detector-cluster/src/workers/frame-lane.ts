import type { FrameInbox } from './frame-inbox.js';

/** How much of a turn one connection may use while it has more frames. Milliseconds. */
const SHARE = 1;

/** How many bytes cost as much as 1 ms of reading: to receive and collect them takes time that is not measured here. */
const BYTES_PER_MS = 256 * 1024;
/** The same for a number of frames. */
const FRAMES_PER_MS = 2_000;

/** How long a connection that was full rests before more of it is wanted: longer each time while it is full again soon. Milliseconds. */
const MIN_REST = 50;
const MAX_REST = 500;
const SOON = 1_000;

/** Most frames of one connection that may wait. */
export interface LaneLimits {
  readonly bytes: number;
  readonly frames: number;
}

export interface LaneHooks {
  readonly limits: LaneLimits;
  /** A limit is exceeded: no more frames are wanted for now. */
  readonly onFull: () => void;
  /** Half of both limits is free again, and the connection has rested. */
  readonly onRoom: () => void;
}

interface Waiting {
  readonly frames: number;
  readonly bytes: number;
  readonly isUrgent: boolean;
  readonly read: () => void;
}

/** The frames of one connection. They keep their order, except that urgent ones overtake others. */
export class FrameLane {
  /** Waiting frames, from {@link head} on. */
  private items: Waiting[] = [];
  private head = 0;
  private urgent = 0;
  private isFull = false;
  private rest = MIN_REST;
  private resting: NodeJS.Timeout | undefined;
  /** When it was last no longer full. */
  private roomAt = Number.NEGATIVE_INFINITY;
  /** Time of reading that later turns have to pay for, as of the turn {@link paidTurn}. Milliseconds. */
  private debt = 0;
  private paidTurn = 0;
  private behindSince: number | null = null;
  private behindBefore = 0;
  /** Bytes of the frames that wait. */
  bytes = 0;
  /** How many frames wait. */
  frames = 0;

  constructor(
    private readonly inbox: FrameInbox,
    private readonly hooks: LaneHooks,
  ) {}

  /** How long frames of this connection have waited for this process, here or beyond the socket, over all. Milliseconds. */
  behindFor(): number {
    return this.behindBefore + (this.behindSince === null ? 0 : this.inbox.now() - this.behindSince);
  }

  /**
   * Reads a frame now, or in a later turn if this turn has no time for it.
   * @param bytes counted against the limit while it waits
   * @param isUrgent it waits only for the share of its own connection, not for frames of others
   * @param frames how many frames `read` reads
   */
  take(bytes: number, read: () => void, { isUrgent = false, frames = 1 } = {}): void {
    const isNext = isUrgent ? this.urgent === 0 : this.frames === 0;
    if (isNext && this.hasShare && (isUrgent || this.inbox.hasTime)) {
      this.run(read, bytes, frames);
      return;
    }
    this.behindSince ??= this.inbox.now();
    this.items.push({ frames, bytes, isUrgent, read });
    this.frames += frames;
    this.bytes += bytes;
    if (isUrgent) this.urgent++;
    this.inbox.later(this);
    const { limits, onFull } = this.hooks;
    if (this.isFull || (this.bytes <= limits.bytes && this.frames <= limits.frames)) return;
    this.isFull = true;
    const isSoon = this.inbox.now() - this.roomAt < SOON;
    this.rest = isSoon ? Math.min(MAX_REST, 2 * this.rest) : MIN_REST;
    onFull();
  }

  /** Reads for as long as the turn and the share of this connection allow. */
  readShare(): void {
    while (this.frames > 0 && this.hasShare && this.inbox.hasTime) {
      // Removes the frame before it is read, because more frames or the end of the connection may arrive during the read.
      const { bytes, frames, read } = this.remove();
      this.run(read, bytes, frames);
    }
  }

  /** Drops the frames that wait. */
  clear(): void {
    while (this.frames > 0) this.remove();
    clearTimeout(this.resting);
    this.inbox.forget(this);
  }

  private get hasShare(): boolean {
    const { turn } = this.inbox;
    if (turn !== this.paidTurn) this.debt = Math.max(0, this.debt - SHARE * (turn - this.paidTurn));
    this.paidTurn = turn;
    return this.debt < SHARE;
  }

  private remove(): Waiting {
    const item = this.items[this.head]!;
    this.items[this.head++] = undefined as never;
    if (this.head === this.items.length) {
      this.items = [];
      this.head = 0;
      if (!this.isFull) this.caughtUp();
    } else if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    this.frames -= item.frames;
    this.bytes -= item.bytes;
    if (item.isUrgent) this.urgent--;
    const { limits } = this.hooks;
    if (this.isFull && this.bytes * 2 <= limits.bytes && this.frames * 2 <= limits.frames)
      this.resting ??= setTimeout(() => this.rested(), this.rest);
    return item;
  }

  private rested(): void {
    this.resting = undefined;
    this.isFull = false;
    this.roomAt = this.inbox.now();
    if (this.frames === 0) this.caughtUp();
    this.hooks.onRoom();
  }

  private caughtUp(): void {
    this.behindBefore = this.behindFor();
    this.behindSince = null;
  }

  private run(read: () => void, bytes: number, frames: number): void {
    const began = this.inbox.now();
    try {
      read();
    } finally {
      const took = this.inbox.now() - began;
      this.debt += took + bytes / BYTES_PER_MS + frames / FRAMES_PER_MS;
      this.inbox.spend(took);
    }
  }
}

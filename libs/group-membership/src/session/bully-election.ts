import type { Clock, TimerHandle } from '@detector-cluster/election';

/** How many of the higher members to ask at a time. */
const ASKED = 3;

export interface BullyPort {
  readonly clock: Clock;
  /** Ids of the active members in any order, without those that let others go first. */
  electable(): readonly number[];
  readonly self: number;
  ask(id: number): void;
  /** No higher member answers: become the leader. Called again only after {@link BullyElection.settled}. */
  claim(): void;
  /** Another member has to claim. */
  yield(): void;
}

export interface BullyTimes {
  /** How long a higher member may take to answer ELECTION with OKAY. Milliseconds. */
  readonly answerTimeout: number;
  /** How long it may then take to lead. Milliseconds. */
  readonly timeout: number;
}

/**
 * The bully algorithm: the live member with the highest id becomes the leader. A member that detects the loss of the leader asks a
 * few of the higher members. It skips silent ones, so it does not matter how many members died with the leader.
 */
export class BullyElection {
  private state: 'idle' | 'asking' | 'waiting' | 'claiming' = 'idle';
  private readonly silent = new Set<number>();
  private timer: TimerHandle | undefined;

  constructor(
    private readonly port: BullyPort,
    private readonly times: BullyTimes,
  ) {}

  /** There is no leader. Does nothing during an election. */
  begin(): void {
    if (this.state === 'idle') this.ask();
  }

  /** A member leads, or this member no longer takes part. */
  settled(): void {
    this.port.clock.clearTimeout(this.timer);
    this.silent.clear();
    this.state = 'idle';
  }

  /** A higher member has taken over the election. */
  okay(from: number): void {
    if (this.state !== 'asking' || from < this.port.self) return;
    this.state = 'waiting';
    this.after(this.times.timeout, () => this.again());
  }

  /** A member has ended, maybe the one that this member waits for, or a member may take part again. */
  changed(): void {
    if (this.state === 'waiting') this.again();
    // This member claimed as the highest, but a higher member may take part by now.
    else if (this.state === 'claiming' && this.higher().length > 0) {
      this.port.yield();
      this.again();
    }
  }

  private again(): void {
    this.settled();
    this.ask();
  }

  private ask(): void {
    const higher = this.higher();
    if (higher.length === 0) {
      this.state = 'claiming';
      this.port.clock.clearTimeout(this.timer);
      this.port.claim();
      return;
    }
    this.state = 'asking';
    for (const id of higher.slice(0, ASKED)) this.port.ask(id);
    this.after(this.times.answerTimeout, () => {
      for (const id of higher.slice(0, ASKED)) this.silent.add(id);
      this.ask();
    });
  }

  private higher(): number[] {
    return this.port
      .electable()
      .filter((id) => id > this.port.self && !this.silent.has(id))
      .sort((a, b) => b - a);
  }

  private after(delay: number, next: () => void): void {
    this.port.clock.clearTimeout(this.timer);
    this.timer = this.port.clock.setTimeout(next, delay);
  }
}

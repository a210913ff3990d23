import type { Clock, TimerHandle } from '@detector-cluster/election';
import { toError } from '@detector-cluster/election/internal';
import { bounded } from '@detector-cluster/election/lease';
import type { FeedElection, FeedElectionListener } from './feed-election.js';
import type { HeartbeatDetails, LeaderFeedState } from './leader-feed-events.js';
import type { ResolvedLeaderFeedOptions } from './leader-feed-options.js';
import { LeaderView } from './leader-view.js';

/** A feed's access to its store. */
export interface ClassicMethods {
  /** Makes a node the leader; `null` for no leader. */
  elect(id: string | null): Promise<void>;
  heartbeat(): Promise<void>;
}

/**
 * The algorithm of leaderfeed: a node that hears no heartbeat for a random time elects itself, and leads until it hears of another
 * leader. No node asks the store whether there is a leader, so two nodes can lead at once, at most until each has heard of the other.
 */
export class ClassicElection implements FeedElection {
  private leading = false;
  private hearing = false;
  private ended = false;
  private readonly view = new LeaderView();
  private readonly timer: ElectionTimer;
  private readonly own: OwnHeartbeats;
  private beating: TimerHandle | undefined;
  /** The heartbeat in flight. */
  private sending: Promise<void> | undefined;
  /** Number of this node's elections in flight. */
  private electing: Promise<void> | undefined;
  /** Number of records heard that did not confirm this node as the leader. */
  private others = 0;
  private confirmedAt = -Infinity;

  constructor(
    private readonly options: ResolvedLeaderFeedOptions,
    private readonly methods: ClassicMethods,
    private readonly listener: FeedElectionListener,
  ) {
    this.timer = new ElectionTimer(options, () => void this.timedOut());
    this.own = new OwnHeartbeats(options.heartbeatIntervalMs, options.clock);
  }

  get state(): LeaderFeedState {
    return this.leading ? 'leader' : 'follower';
  }

  get leader(): string | null {
    return this.view.leader;
  }

  /** The highest known election. */
  get election(): number {
    return this.view.election;
  }

  subscribed(): void {
    this.hearing = true;
    this.timer.restart();
  }

  deaf(): void {
    this.hearing = false;
    this.timer.stop();
    this.follow(null);
  }

  heard(leaderId: string | null, details?: HeartbeatDetails): void {
    const { id } = this.options;
    const before = this.view.leader;
    if (this.ended || !this.view.hear(leaderId, details)) return;
    if (leaderId !== id) this.others++;
    if (leaderId === id) {
      if (this.elects(details)) this.lead();
      // A heartbeat of this node from before it stepped down does not name the current leader.
      else if (!this.leading) this.view.leader = before === id ? null : before;
    } else {
      this.follow(leaderId);
      if (leaderId !== null && leaderId !== before) this.listener.leader(leaderId);
    }
    if (!this.hearing || this.leading) return;
    if (leaderId === null) this.timer.hurry();
    else this.timer.restart();
  }

  async elect(id: string): Promise<void> {
    const election = id === this.options.id ? this.electSelf() : this.electOther(id);
    const settled = election.then(
      () => undefined,
      () => undefined,
    );
    this.electing = settled;
    try {
      await election;
    } finally {
      if (this.electing === settled) this.electing = undefined;
    }
  }

  async end(): Promise<void> {
    this.ended = true;
    this.timer.stop();
    await this.electing;
    const led = this.leading;
    this.follow(null);
    await this.quiet();
    // The other nodes learn of it at once. If the message is lost, their election timeout expires.
    if (led) await this.bounded(this.methods.elect(null)).catch(() => undefined);
  }

  /** Whether a record that names this node makes this node the leader. */
  private elects(details?: HeartbeatDetails): boolean {
    return details ? details.kind === 'elect' : !this.own.isEcho();
  }

  private async timedOut(): Promise<void> {
    try {
      await this.elect(this.options.id);
    } catch (error) {
      if (this.ended) return;
      this.listener.heartbeatError(toError(error));
    }
    if (this.hearing && !this.leading && !this.ended) this.timer.restart();
  }

  private async electSelf(): Promise<void> {
    const { others } = this;
    await this.methods.elect(this.options.id);
    // Another node was elected in the meantime. Only the feed shows which election was the last.
    if (this.ended || !this.hearing || others !== this.others) return;
    this.view.leader = this.options.id;
    this.lead();
  }

  private async electOther(id: string): Promise<void> {
    // No heartbeat of this node may arrive after the election of another node.
    this.stopBeating();
    await this.quiet();
    const { others } = this;
    try {
      await this.methods.elect(id);
    } catch (error) {
      if (this.leading) this.beatLater();
      throw error;
    }
    // The feed may have reported this election already, or a later one.
    if (this.ended || others !== this.others) return;
    this.follow(id);
    this.listener.leader(id);
    if (this.hearing) this.timer.restart();
  }

  private lead(): void {
    this.view.leader = this.options.id;
    if (this.leading) return;
    this.leading = true;
    this.timer.stop();
    this.confirmedAt = this.options.clock.now();
    this.listener.state('leader');
    this.listener.leader(this.options.id);
    if (this.leading) this.beat();
  }

  private follow(leaderId: string | null): void {
    this.view.leader = leaderId;
    if (!this.leading) return;
    this.leading = false;
    this.stopBeating();
    this.listener.state('follower');
  }

  private beatLater(): void {
    this.stopBeating();
    this.beating = this.options.clock.setTimeout(() => this.beat(), this.options.heartbeatIntervalMs);
  }

  private stopBeating(): void {
    this.options.clock.clearTimeout(this.beating);
    this.beating = undefined;
  }

  private beat(): void {
    const { clock, electionTimeoutMinMs } = this.options;
    this.beatLater();
    // By now the others may have elected another node.
    if (this.sending && clock.now() - this.confirmedAt >= electionTimeoutMinMs)
      return this.stepDown(new Error(`no heartbeat reached the store for ${electionTimeoutMinMs} ms`));
    if (this.sending) return;
    const sent = clock.now();
    const forget = this.own.sent();
    const sending = this.methods.heartbeat().then(
      () => {
        this.confirmedAt = sent;
      },
      (error: unknown) => {
        forget();
        this.stepDown(toError(error));
      },
    );
    const over = sending.then(() => {
      if (this.sending === over) this.sending = undefined;
    });
    this.sending = over;
  }

  private stepDown(error: Error): void {
    if (!this.leading) return;
    this.listener.heartbeatError(error);
    this.follow(null);
    if (this.hearing && !this.ended) this.timer.restart();
  }

  /** Resolves when no heartbeat is in flight, or when one has been for too long. */
  private async quiet(): Promise<void> {
    if (this.sending) await this.bounded(this.sending).catch(() => undefined);
  }

  private bounded(work: Promise<void>): Promise<void> {
    const { clock, electionTimeoutMinMs } = this.options;
    return bounded('the store', electionTimeoutMinMs, clock, work);
  }
}

/** Heartbeats of this node that the feed has not delivered yet, for feeds that do not name the writer of a record. */
class OwnHeartbeats {
  private readonly times: number[] = [];

  /** @param timeout How long to wait for a record, in ms, because feeds may skip records. */
  constructor(
    private readonly timeout: number,
    private readonly clock: Clock,
  ) {}

  /** Must be called before a heartbeat is sent. Returns a function that takes the call back. */
  sent(): () => void {
    const at = this.clock.now();
    this.dropLate(at);
    this.times.push(at);
    return () => {
      const index = this.times.indexOf(at);
      if (index >= 0) this.times.splice(index, 1);
    };
  }

  /** Whether a record that names this node is one of its own heartbeats, rather than an election by another node. */
  isEcho(): boolean {
    this.dropLate(this.clock.now());
    return this.times.shift() !== undefined;
  }

  private dropLate(now: number): void {
    while (this.times.length > 0 && this.times[0]! < now - this.timeout) this.times.shift();
  }
}

/** Fires once if it was not restarted for a random time. */
class ElectionTimer {
  private handle: TimerHandle | undefined;

  constructor(
    private readonly options: {
      readonly electionTimeoutMinMs: number;
      readonly electionTimeoutMaxMs: number;
      readonly heartbeatIntervalMs: number;
      readonly clock: Clock;
      readonly random: () => number;
    },
    private readonly elapsed: () => void,
  ) {}

  /** Waits for a random time between the two bounds. */
  restart(): void {
    const { electionTimeoutMinMs, electionTimeoutMaxMs } = this.options;
    this.wait(electionTimeoutMinMs, electionTimeoutMaxMs);
  }

  /** Called when no node leads. Waits just long enough that not all nodes elect themselves at the same moment. */
  hurry(): void {
    this.wait(0, this.options.heartbeatIntervalMs / 2);
  }

  stop(): void {
    this.options.clock.clearTimeout(this.handle);
    this.handle = undefined;
  }

  private wait(min: number, max: number): void {
    this.stop();
    const { clock, random, heartbeatIntervalMs } = this.options;
    const delay = Math.round(min + random() * (max - min));
    const due = clock.now() + delay;
    this.handle = clock.setTimeout(() => {
      this.handle = undefined;
      // The process was frozen or busy: heartbeats that arrived in the meantime are still unread.
      if (clock.now() - due > heartbeatIntervalMs) this.wait(heartbeatIntervalMs, 2 * heartbeatIntervalMs);
      else this.elapsed();
    }, delay);
  }
}

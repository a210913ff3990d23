import { MAX_INTERVAL, pollInterval } from '../shared/intervals.js';
import type { StreamChange } from '@detector-cluster/placement/internal';

/** From this number on, a whole pass decides faster. */
const MAX_AT_ONCE = 1_000;

/** See {@link PassAgenda.tookAll}. Milliseconds. */
const MAX_REST = 1_000;

/** A new master pauses this many times longer, because it can decide little before all workers have reported. */
const SETTLING = 4;
/** Milliseconds. */
const MAX_SETTLING_REST = 2_000;

/** The work of one pass. */
export interface Agenda {
  /** Everything: the planner may have something to do. */
  readonly whole: boolean;
  readonly subscriptions: ReadonlySet<string>;
  readonly streams: readonly StreamChange[];
}

/**
 * Collects the changes since the last pass, and the due times. Most changes concern a few subscriptions, while a pass over everything
 * takes time in proportion to all of them. Times are monotonic milliseconds.
 */
export class PassAgenda {
  private whole = true;
  private subscriptions = new Set<string>();
  private streams: StreamChange[] = [];
  private due = new Map<string, number>();
  /** Lower bound of the due times that were not handed out. It spares a search, which is costly with very many subscriptions. */
  private earliestDue = Number.POSITIVE_INFINITY;
  private wholeAt = Number.POSITIVE_INFINITY;
  private checkAt = Number.POSITIVE_INFINITY;
  private restUntil = Number.NEGATIVE_INFINITY;
  /** Of the last pass over everything. */
  private duration = 0;

  /** @param interval between looks at the load without another reason. Milliseconds */
  constructor(private readonly interval: number) {}

  addAll(): void {
    this.whole = true;
  }

  /** The desired state of these subscriptions has changed. */
  addSubscriptions(ids: Iterable<string>): void {
    for (const id of ids) this.subscriptions.add(id);
  }

  /** A worker reports a change of these streams. */
  addStreams(workerUrl: string, ids: readonly string[]): void {
    for (const subscriptionIdentifier of ids) this.streams.push({ workerUrl, subscriptionIdentifier });
  }

  /**
   * Whether to look at the load now: there is no other reason for a pass over everything, and only the load could be one. Call {@link
   * checked} if it does not, or else {@link addAll}.
   */
  isCheckDue(now: number): boolean {
    return this.checkAt <= now && !this.whole;
  }

  /** The load is no reason for a pass. */
  checked(now: number): void {
    this.checkAt = now + this.interval;
  }

  /** The work of a pass that begins now. Later changes are for the next pass. */
  take(now: number): Agenda {
    const { streams, subscriptions } = this;
    if (this.earliestDue <= now) this.collectDue(now, subscriptions);
    this.subscriptions = new Set();
    this.streams = [];
    const tooMany = subscriptions.size + streams.length > MAX_AT_ONCE;
    const whole = (this.whole || this.wholeAt <= now || tooMany) && this.mayTakeAll(now);
    // A pass over everything will look at these, too.
    return tooMany ? { whole, subscriptions: new Set(), streams: [] } : { whole, subscriptions, streams };
  }

  /** Some of the changes during a pass over everything. Null: there were none, or so many that the next pass has to look at them. */
  takeBetween(): Agenda | null {
    const { streams, subscriptions } = this;
    const count = subscriptions.size + streams.length;
    if (count === 0 || count > MAX_AT_ONCE) return null;
    this.subscriptions = new Set();
    this.streams = [];
    return { whole: false, subscriptions, streams };
  }

  /** The next pass over everything does not wait. */
  endRest(): void {
    this.restUntil = Number.NEGATIVE_INFINITY;
    this.whole = true;
  }

  /** Whether a pass over everything may begin; if not, it follows as soon as it may. */
  mayTakeAll(now: number): boolean {
    this.whole = now < this.restUntil;
    return !this.whole;
  }

  /**
   * Everything was looked at. The next pass over everything begins after a rest as long as this one took, at most 1 s, so that a large
   * cluster leaves the process time for all else. Without a reason the next one comes after {@link pollInterval}, or after 5 min if
   * everything is at rest, because looks at the load are enough then.
   * @param due the agenda owns it from now on
   * @param wholeAt there is a reason at that instant
   * @param settling the master has not heard all workers
   * @param atRest only a change of the load could make the next pass act
   */
  tookAll(
    due: Map<string, number>,
    wholeAt: number,
    {
      began,
      ended,
      settling,
      atRest = false,
    }: {
      readonly began: number;
      readonly ended: number;
      readonly settling: boolean;
      readonly atRest?: boolean;
    },
  ): void {
    const duration = ended - began;
    this.due = due;
    this.earliestDue = earliestOf(due);
    const interval = atRest
      ? Math.max(this.interval, MAX_INTERVAL)
      : pollInterval(this.interval, [this.duration, duration]);
    this.duration = duration;
    this.wholeAt = Math.min(wholeAt, ended + interval);
    this.checkAt = atRest ? ended + this.interval : Number.POSITIVE_INFINITY;
    const rest = settling ? Math.min(SETTLING * duration, MAX_SETTLING_REST) : Math.min(duration, MAX_REST);
    this.restUntil = ended + rest;
  }

  /** A pass has looked at these. `due` contains those to look at again, and when. */
  tookSome(ids: Iterable<string>, due: ReadonlyMap<string, number>): void {
    for (const id of ids) this.due.delete(id);
    for (const [id, at] of due) this.due.set(id, at);
    this.earliestDue = Math.min(this.earliestDue, earliestOf(due));
  }

  /** Stops when there are too many, because a pass over everything follows then. */
  private collectDue(now: number, subscriptions: Set<string>): void {
    this.earliestDue = Number.POSITIVE_INFINITY;
    for (const [id, at] of this.due) {
      if (at <= now) subscriptions.add(id);
      else if (at < this.earliestDue) this.earliestDue = at;
      if (subscriptions.size > MAX_AT_ONCE) return;
    }
  }

  /** When the next pass is due if nothing changes. */
  get wakeAt(): number {
    const wholeAt = Math.max(this.restUntil, this.whole ? Number.NEGATIVE_INFINITY : this.wholeAt);
    return Math.min(wholeAt, this.earliestDue, this.checkAt);
  }
}

function earliestOf(due: ReadonlyMap<string, number>): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const at of due.values()) if (at < earliest) earliest = at;
  return earliest;
}

import {
  closeRedis,
  COMMAND_TIMEOUT,
  commandSettings,
  openRedis,
  type RedisSource,
} from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import type { DetectionAudience } from '../detection-audience.js';
import { BacklogMover } from '../ownership/backlog-mover.js';
import { BufferAdmission } from '../writing/buffer-admission.js';
import { Replayer } from '../dead-letters/replayer.js';
import { DetectionRates } from '../ownership/detection-rates.js';
import { HoldingArea } from '../writing/holding-area.js';
import { InterestIndex } from '../interest/interest-index.js';
import { Ownership } from '../ownership/ownership.js';
import type { OutgoingEntry, RoutedDetection } from './routed-detection.js';
import type { RouterContext } from './router-context.js';
import { RouterCounters } from './router-counters.js';
import type { RouterEvent } from './router-event.js';
import { watchHints } from './router-hints.js';
import { routerDefaults, type RouterOptions } from './router-options.js';
import type { RouterStats } from './router-stats.js';
import { TracerSlot } from '../tracing/tracer-slot.js';
import { WriterPool } from '../writing/writer-pool.js';

export interface RouterDependencies {
  readonly redis: RedisSource;
  readonly keys: ClusterKeys;
  /** This process; it always counts as alive. */
  readonly processId: string;
  /** Term of this master: the first half of every entry's id. */
  readonly term: number;
  /** Whether this process may write as master at this instant; asked before every write. */
  readonly isValid: () => boolean;
  /**
   * Writes worker → owner where the next master finds it (the hash `keys.assignments`) and tells whom it concerns.
   * Repeated until it resolves; `FencedError` ends the router.
   */
  readonly persistAssignments: (assignments: Readonly<Record<string, string>>) => Promise<void>;
  /**
   * Calls `setMembers` with those that are there now; rejects when they cannot be read. Asked at the start, when somebody
   * unknown listens, and every few seconds. Default: nothing, `setMembers` has been called before `start`.
   */
  readonly readMembers?: () => Promise<void>;
  readonly onEvent?: (event: RouterEvent) => void;
  /** Milliseconds, monotonic. Default `performance.now`. */
  readonly now?: () => number;
  /** Where to count; share them between the routers of one process to count over all its terms. Default new ones. */
  readonly counters?: RouterCounters;
  /** Default none. */
  readonly tracing?: TracerSlot;
  readonly options?: Partial<RouterOptions>;
}

/**
 * The sending half of delivery, in the master: gives each detection to the process that owns its worker, and to those that
 * have listeners for its subscription.
 *
 * Accepted means that Redis has confirmed it; from then on it reaches the owner's callbacks at least once, also when
 * processes die. Before, it waits in a bounded buffer of this process. Every loss is counted.
 */
export class DetectionRouter {
  private readonly context: RouterContext;
  private readonly redis: Redis;
  private readonly ended = new AbortController();
  private readonly rates: DetectionRates;
  private readonly holding: HoldingArea;
  private readonly writers: WriterPool;
  private readonly interests: InterestIndex;
  private readonly ownership: Ownership;
  private readonly replayer: Replayer;
  private readonly counters: RouterCounters;
  private readonly readMembers: () => Promise<void>;
  private readonly droppedBefore = new Map<string, number>();
  private started = false;

  constructor(private readonly dependencies: RouterDependencies) {
    const { redis, keys, term, isValid, now = () => performance.now() } = dependencies;
    this.counters = dependencies.counters ?? new RouterCounters();
    this.redis = openRedis(redis, { ...commandSettings, socketTimeout: 3 * COMMAND_TIMEOUT });
    const context: RouterContext = {
      redis: this.redis,
      keys,
      term,
      options: { ...routerDefaults, ...dependencies.options },
      counters: this.counters,
      tracing: dependencies.tracing ?? new TracerSlot(),
      onEvent: dependencies.onEvent ?? (() => undefined),
      isValid,
      now,
      sequence: { last: 0 },
      signal: this.ended.signal,
      deposed: () => this.end({ type: 'deposed' }),
    };
    this.context = context;
    this.readMembers = dependencies.readMembers ?? (() => Promise.resolve());
    const admission = new BufferAdmission(context);
    this.rates = new DetectionRates(now);
    this.holding = new HoldingArea(context.options, admission);
    this.writers = new WriterPool(context, {
      admission,
      droppedBefore: this.droppedBefore,
      onMissing: (processId) => this.ownership.memberWithoutStream(processId),
    });
    this.interests = new InterestIndex(context, {
      serves: (processId) => this.ownership.serves(processId),
      read: this.readMembers,
    });
    this.ownership = new Ownership(context, {
      writers: this.writers,
      mover: new BacklogMover(context, this.writers),
      rates: this.rates,
      persist: dependencies.persistAssignments,
      hold: (worker) => void this.holding.hold(worker),
      release: (worker) => this.release(worker),
      redirect: (entry) => this.redirect(entry),
    });
    const { interests, ownership, writers } = this;
    this.replayer = new Replayer(context, { interests, ownership, writers });
    const looks = {
      [keys.interestsChanged]: () => interests.refreshSoon(),
      [keys.replayRequested]: () => this.lookForReplays(),
    };
    watchHints(redis, context, looks, () => void this.lookAtMembers());
  }

  /**
   * Reads what the previous master left, then begins to forward. Call `setWorkers` before; what is routed earlier waits. Waits as
   * long as Redis is away.
   */
  async start(): Promise<void> {
    const { keys, onEvent, signal } = this.context;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const [assignments, streams, dropped] = await Promise.all([
          this.redis.hgetall(keys.assignments),
          this.redis.zrevrange(keys.streams, 0, -1),
          this.redis.hgetall(keys.dropped),
        ]);
        // In this order: a process joins before it makes its stream, so one that has a stream and is no member is gone.
        await this.readMembers();
        await this.interests.begin();
        for (const [processId, count] of Object.entries(dropped))
          this.droppedBefore.set(processId, Number(count));
        if (signal.aborted) return;
        this.started = true;
        this.ownership.begin(assignments, streams);
        this.lookForReplays();
        return;
      } catch (error) {
        // The first try often comes before the connection stands.
        if (attempt > 2) onEvent({ type: 'redis-error', error: asError(error) });
        await delay(Math.min(25 * 2 ** Math.min(attempt, 5), 500), signal);
      }
    }
  }

  /**
   * The processes that may own workers, in order, and all that live (default: the same; this process always). Processes that
   * were alive before and are no more count as lost.
   */
  setMembers(owners: readonly string[], alive: readonly string[] = owners): void {
    this.ownership.setMembers(owners, new Set([...alive, ...owners, this.dependencies.processId]));
  }

  /**
   * A process may have gone between the look of {@link start} and the first one of whoever tells of changes: nobody would ever
   * say that it is lost, and what it has left would wait for ever.
   */
  private async lookAtMembers(): Promise<void> {
    const { onEvent, signal } = this.context;
    if (!this.started) return;
    await this.readMembers().catch((error: unknown) => {
      if (!signal.aborted) onEvent({ type: 'redis-error', error: asError(error) });
    });
  }

  /** The process is gone: its workers get new owners, which get its unfinished entries first. */
  memberLost(processId: string): void {
    this.ownership.memberLost(processId);
  }

  setWorkers(urls: Iterable<string>): void {
    this.ownership.setWorkers(urls);
  }

  /** Resolves when it knows the listeners that were written to Redis before the call; also when Redis is away. */
  readListeners(): Promise<void> {
    return this.interests.refreshed();
  }

  /** Takes a detection. Never waits, never throws. */
  route(detection: RoutedDetection): void {
    this.counters.routed++;
    if (this.ended.signal.aborted) {
      this.counters.discarded++;
      return;
    }
    const { workerUrl } = detection;
    this.rates.observe(workerUrl);
    const owner =
      this.started && !this.holding.isHeld(workerUrl) ? this.ownership.ownerOf(workerUrl) : undefined;
    if (owner === undefined) {
      this.holding.push(detection);
      this.ownership.addWorker(workerUrl);
    } else this.dispatch(detection, owner);
  }

  stats(): RouterStats {
    const writers = this.writers.all();
    return {
      ...this.counters,
      buffered: writers.reduce((sum, { queue }) => sum + queue.length, this.holding.length),
      assignments: this.ownership.assignments,
      rates: Object.fromEntries(this.rates.current()),
      processes: Object.fromEntries(writers.map((writer) => [writer.processId, writer.backlog()])),
    };
  }

  /** Waits up to `ms` until everything buffered is accepted. Returns how much is left. */
  async drainFor(ms: number): Promise<number> {
    const deadline = this.context.now() + ms;
    const left = () => this.stats().buffered;
    while (left() > 0 && this.context.now() < deadline && !this.ended.signal.aborted)
      await delay(5, this.ended.signal);
    return left();
  }

  /** Ends everything now; what is buffered is counted and reported as discarded. Idempotent. */
  close(): Promise<void> {
    this.end();
    return Promise.resolve();
  }

  private end(event?: RouterEvent): void {
    if (this.ended.signal.aborted) return;
    this.ended.abort();
    let count = 0;
    for (const writer of this.writers.all())
      for (const { trace } of writer.takeAll()) {
        count++;
        trace?.end('discarded');
      }
    for (const worker of this.holding.workers()) count += this.holding.release(worker).length;
    this.counters.discarded += count;
    closeRedis(this.redis);
    if (event) this.context.onEvent(event);
    if (count > 0) this.context.onEvent({ type: 'discarded', count });
  }

  private lookForReplays(): void {
    // Without streams there is nothing that could be delivered again, nor a place to put it.
    if (this.started && this.context.options.transport === 'streams') this.replayer.soon();
  }

  private release(worker: string): void {
    const owner = this.ownership.ownerOf(worker);
    if (owner === undefined) return;
    for (const detection of this.holding.release(worker)) this.dispatch(detection, owner);
  }

  private redirect(entry: OutgoingEntry): void {
    const owner = this.ownership.ownerOf(entry.detection.workerUrl);
    entry.trace?.end(owner === undefined ? 'discarded' : 'redirected');
    if (owner === undefined) this.counters.discarded++;
    else this.send(owner, entry.detection, 'owner', entry.redelivered);
  }

  private dispatch(detection: RoutedDetection, owner: string): void {
    const interested = this.interests.interested(detection.subscriptionIdentifier);
    let audience: DetectionAudience = 'owner';
    for (const processId of interested)
      if (processId === owner) audience = 'both';
      else if (this.ownership.serves(processId)) this.send(processId, detection, 'listener', false);
    this.send(owner, detection, audience, false);
  }

  private send(
    processId: string,
    detection: RoutedDetection,
    audience: DetectionAudience,
    redelivered: boolean,
  ): void {
    const trace = this.context.tracing.current?.sending(detection, processId);
    this.writers
      .of(processId)
      .push({ detection, audience, bytes: detection.frame.length, trace, redelivered, sequence: 0 });
  }
}

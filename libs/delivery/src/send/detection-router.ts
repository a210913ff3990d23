import { systemClock, type Clock } from '@detector-cluster/election';
import { FencedError } from '@detector-cluster/election/fence';
import { doubling, pause, toError, getOrInsertComputed } from '@detector-cluster/election/internal';
import { setMaxListeners } from 'node:events';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import { MAX_DEAD_LETTERS, type TracedLetter } from '../dead-letters/dead-letter.js';
import type { ReceivedDetection } from '../log/detection-message.js';
import { listenerLog, partitionLogs, partitionOf, type LogAddress } from '../log/log-address.js';
import type { LogStore, OwnerRecord, TermClaim } from '../log/log-store.js';
import { PartitionAssigner, type AssignerHooks } from '../ownership/partition-assigner.js';
import { PartitionCount } from '../ownership/partition-count.js';
import { type PartitionCountStore } from '../ownership/redis-partition-count.js';
import type { Workloads } from '../ownership/plan-ownership.js';
import { TracerSlot } from '../log/tracer-slot.js';
import { InterestIndex } from '../interest/interest-index.js';
import type { InterestStore } from '../interest/redis-interest-store.js';
import { LogWriter, type LogWriterDependencies } from './log-writer.js';
import { Replayer, type ReplayStore } from './replayer.js';
import type { OnSettled } from './written-log.js';
import {
  type RouterContext,
  type RouterEvent,
  routerDefaults,
  type RouterOptions,
} from './router-context.js';
import { type RouterStats } from './router-stats.js';
import { RouterCounters } from './router-counters.js';

/** How often the members are read while some are absent. Milliseconds. */
const ABSENT_LOOK = 500;

/** The ports of a router to Redis. */
export interface RouterStores {
  readonly logs: LogStore;
  readonly append: LogWriterDependencies;
  /** Sets aside keys whose type another program has changed: those of the cluster and of these logs. */
  readonly guard: (logs: Iterable<LogAddress>) => Promise<void>;
  /** Rejects with a `FencedError` if a later term has begun. */
  readonly confirmTerm: () => Promise<void>;
  readonly interests: InterestStore;
  readonly partitions: PartitionCountStore;
  readonly replays: ReplayStore;
  /**
   * Calls back when a process says that its interests, the owner of a partition, or the requested replays have changed. Hints may
   * be lost. Returns a function that ends it.
   */
  watch(looks: Readonly<Record<'interests' | 'owners' | 'replays', () => void>>): () => void;
  close(): void;
}

export interface RouterDependencies {
  readonly stores: RouterStores;
  readonly keys: DeliveryKeys;
  readonly processId: string;
  /** Term of this master: the first half of every entry's id. */
  readonly term: number;
  /** Whether this process may write as master at this instant; asked before every write until {@link DetectionRouter.handOver}. */
  readonly isValid: () => boolean;
  /** See `AssignerHooks.publish`. Repeated until it resolves. */
  readonly publishAssignments: AssignerHooks['publish'];
  /** Calls `setMembers` with the present members; rejects when they cannot be read. Called at the start and every few seconds. */
  readonly readMembers?: () => Promise<void>;
  readonly onEvent?: (event: RouterEvent) => void;
  readonly clock?: Clock;
  /** The counters. The routers of one process share them, to count over all its terms. Default: new ones. */
  readonly counters?: RouterCounters;
  readonly tracing?: TracerSlot;
  readonly options?: Partial<RouterOptions>;
}

/**
 * The sending half of delivery, in the master: appends each detection to the partition of its subscription, and copies it to the
 * listener streams of the processes that have listeners for the subscription.
 *
 * A detection is accepted when Redis has confirmed it. From then on it reaches callbacks at least once. Before, it waits in a bounded
 * buffer of this process. Every loss is counted. Appending does not depend on the owners of partitions.
 */
export class DetectionRouter {
  private readonly context: RouterContext;
  private readonly ended = new AbortController();
  private readonly writer: LogWriter;
  private readonly interests: InterestIndex;
  private readonly assigner: PartitionAssigner;
  private readonly count: PartitionCount;
  private readonly replayer: Replayer;
  private readonly listenerLogs = new Map<string, LogAddress>();
  private partitions: readonly LogAddress[] = [];
  private members: readonly string[] = [];
  private alive: ReadonlySet<string>;
  private workloads: Workloads = new Map();
  private absent: ReadonlySet<string> = new Set();
  private started = false;
  private handingOver = false;

  constructor(private readonly dependencies: RouterDependencies) {
    const { clock = systemClock, counters = new RouterCounters(), tracing = new TracerSlot() } = dependencies;
    const { isValid, onEvent = () => undefined, publishAssignments, stores, term } = dependencies;
    const { readMembers = () => Promise.resolve() } = dependencies;
    const { signal } = this.ended;
    setMaxListeners(0, signal);
    this.alive = new Set([dependencies.processId]);
    const options = { ...routerDefaults, ...dependencies.options };
    const deposed = () => this.end({ type: 'deposed' });
    this.context = {
      term,
      options,
      counters,
      tracing,
      clock,
      onEvent,
      isValid: () => !this.handingOver && isValid(),
      isOver: () => this.handingOver,
      readMembers,
      signal,
      deposed,
      disputed: (logs) => this.settleDispute(logs),
      store: stores.logs,
    };
    const { context } = this;
    this.writer = new LogWriter(context, stores.append);
    this.count = new PartitionCount(context, stores.partitions, {
      partitions: (count) => partitionLogs(this.dependencies.keys, count),
      hold: () => this.writer.hold(),
      onChanged: (records) => this.repartition(records),
    });
    this.interests = new InterestIndex(context, stores.interests, {
      isMember: (member) => this.alive.has(member),
      onGlobalChanged: () => this.assigner.soon(),
    });
    this.assigner = new PartitionAssigner(context, {
      partitions: () => this.partitions,
      candidates: () => this.candidates(),
      alive: () => this.alive,
      absent: () => this.absent,
      workloads: () => this.workloads,
      publish: publishAssignments,
    });
    this.replayer = new Replayer(context, stores.replays, (letter, onSettled) =>
      this.replay(letter, onSettled),
    );
  }

  /**
   * Reads the state that appending needs, then begins. Detections that are routed before are counted as discarded. Waits while Redis is
   * unavailable.
   */
  async start(): Promise<void> {
    const { clock, onEvent, readMembers, signal } = this.context;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        // An earlier master takes a term for one of another program until the fence knows it.
        await this.dependencies.stores.confirmTerm();
        await Promise.all([readMembers(), this.count.begin()]);
        this.partitions = partitionLogs(this.dependencies.keys, this.count.current);
        const logs = [...this.partitions, ...[...this.alive].map((member) => this.listenerLogOf(member))];
        await this.dependencies.stores.guard(logs);
        const [records] = await Promise.all([this.context.store.records(logs), this.interests.begin()]);
        if (signal.aborted) return;
        for (const [i, record] of records.entries()) this.writer.begin(logs[i]!, record);
        break;
      } catch (error) {
        if (error instanceof FencedError) return this.end({ type: 'deposed' });
        // The first attempt often comes before the connection is open.
        if (attempt > 2) onEvent({ type: 'redis-error', error: toError(error) });
        await pause(doubling(25, attempt, 500), clock, signal);
      }
    }
    if (signal.aborted) return;
    this.started = true;
    this.assigner.start();
    this.replayer.start();
    const unwatch = this.dependencies.stores.watch({
      interests: () => void this.interests.refreshed(),
      owners: () => this.assigner.soon(),
      replays: () => this.replayer.soon(),
    });
    signal.addEventListener('abort', unwatch, { once: true });
    void this.lookRegularly();
  }

  /**
   * The processes that may own partitions, in order. The partitions of processes that are gone get new owners. A process whose workload
   * is 0 owns no partitions. One that is absent may be dead: it keeps its partitions and gets no others.
   */
  setMembers(
    members: readonly string[],
    workloads: Workloads = new Map(),
    absent: ReadonlySet<string> = new Set(),
  ): void {
    const before = this.alive;
    this.members = members;
    this.workloads = workloads;
    this.absent = absent;
    this.alive = new Set([...members, this.dependencies.processId]);
    const lost = [...before].filter((processId) => !this.alive.has(processId));
    // Entries may wait for the log of a process that is gone, and until its interests are removed it gets more.
    for (const [processId, log] of this.listenerLogs)
      if (!this.alive.has(processId) && this.writer.forget(log)) this.listenerLogs.delete(processId);
    if (this.started && lost.length > 0) void this.interests.forget(lost);
    this.assigner.soon();
  }

  /**
   * The term is over: appends late detections of workers, and does nothing else. That needs no valid lease, because each log refuses
   * them once a later term has written to it or granted it.
   */
  handOver(): void {
    this.handingOver = true;
    this.assigner.stop();
  }

  /** Resolves when it knows the listeners that were written to Redis before the call; also when Redis is unavailable. */
  readListeners(): Promise<void> {
    return this.interests.refreshed();
  }

  /**
   * Accepts a detection. Never waits, never throws.
   * @param onSettled called when no later master needs the detection: every log that it goes to has it, or has refused it for good
   */
  route(detection: ReceivedDetection, onSettled?: () => void): void {
    const { counters } = this.context;
    const { subscriptionIdentifier } = detection;
    counters.routed++;
    if (!this.started || this.ended.signal.aborted) {
      counters.discarded++;
      if (onSettled !== undefined) counters.kept++;
      return;
    }
    const logs = this.interests.listening(subscriptionIdentifier).map((id) => this.listenerLogOf(id));
    if (this.interests.globalListeners.size > 0) {
      const log = this.partitionFor(subscriptionIdentifier);
      this.assigner.rates.observe(log.partition!);
      logs.unshift(log);
    }
    if (logs.length === 0) {
      counters.unheard++;
      onSettled?.();
      return;
    }
    const onSettledOnce = onSettled && whenSettled(logs.length, onSettled);
    for (const log of logs) this.send(log, detection, false, onSettledOnce);
  }

  stats(): RouterStats {
    const { options } = this.context;
    return {
      ...this.context.counters,
      buffered: this.writer.buffered,
      partitions: this.count.current,
      logs: Object.fromEntries([...this.writer.logs].map(([stream, log]) => [stream, log.backlog(options)])),
    };
  }

  /** Entries that wait in this process for Redis. */
  get buffered(): number {
    return this.writer.buffered;
  }

  /** Ends everything now. Buffered detections are counted and reported as discarded. Idempotent. */
  close(): void {
    this.end();
  }

  private end(event?: RouterEvent): void {
    if (this.ended.signal.aborted) return;
    if (event) this.context.onEvent(event);
    this.writer.discard();
    this.ended.abort();
    this.dependencies.stores.close();
  }

  /**
   * A master raises the fence before it does anything else, and the fence never falls. So if it confirms this term after a later one was
   * seen in a log, that term was never one of a master.
   */
  private async settleDispute(logs: readonly LogAddress[]): Promise<void> {
    const { clock, counters, onEvent, signal, store, term } = this.context;
    const { processId, stores } = this.dependencies;
    try {
      const claims = await store.claims(logs);
      await stores.confirmTerm();
      for (const [i, log] of logs.entries()) {
        const claim = claims[i]!;
        if (termOf(claim) <= term) continue;
        const error = `written by another program: the id shows a later term than ${term}, and none has begun`;
        const fields = { error, attempts: '0', failedAt: new Date(clock.wallNow()).toISOString(), processId };
        const settled = this.writer.settledSequence(log);
        const most = MAX_DEAD_LETTERS;
        const count = await store.expel({ log, term, claim, settled, fields, most });
        if (signal.aborted || count === null) continue;
        counters.foreign += count;
        onEvent({ type: 'foreign-term', log: log.stream, count });
      }
      this.assigner.soon();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof FencedError) return this.end({ type: 'deposed' });
      onEvent({ type: 'redis-error', error: toError(error) });
      await pause(50, clock, signal);
    }
  }

  /**
   * Only a process with global listeners may own partitions: another one would finish entries without running a callback. The master
   * owns partitions only if no other process can.
   */
  private candidates(): readonly string[] {
    const { globalListeners } = this.interests;
    const may = (id: string) => globalListeners.has(id) && this.workloads.get(id) !== 0;
    const others = this.members.filter((id) => may(id) && !this.absent.has(id));
    const { processId } = this.dependencies;
    return others.length === 0 && may(processId) ? [processId] : others;
  }

  /** Reads interests that hints may have missed, the sizes of the logs, and the number of partitions. */
  private async lookRegularly(): Promise<void> {
    const { clock, isValid, onEvent, options, readMembers, signal } = this.context;
    for (;;) {
      // Who is absent may be back soon.
      await pause(this.absent.size > 0 ? ABSENT_LOOK : options.lookInterval, clock, signal);
      if (signal.aborted || this.handingOver) return;
      try {
        if (isValid())
          await this.dependencies.stores.guard([...this.partitions, ...this.listenerLogs.values()]);
        await readMembers();
        void this.interests.refreshed();
        await this.writer.observe();
        if (isValid()) await this.count.look();
      } catch (error) {
        if (!signal.aborted) onEvent({ type: 'redis-error', error: toError(error) });
      }
    }
  }

  /** Moves waiting entries to the partitions of the new number. */
  private repartition(records: readonly OwnerRecord[]): void {
    this.partitions = partitionLogs(this.dependencies.keys, this.count.current);
    const waiting = this.writer.takeAll();
    for (const [partition, log] of this.partitions.entries()) this.writer.begin(log, records[partition]!);
    for (const { log, entry } of waiting) {
      const { subscriptionIdentifier } = entry.detection;
      this.writer.push(log.partition === null ? log : this.partitionFor(subscriptionIdentifier), entry);
    }
    this.assigner.soon();
  }

  private partitionFor(subscriptionIdentifier: string): LogAddress {
    return this.partitions[partitionOf(subscriptionIdentifier, this.partitions.length)]!;
  }

  private listenerLogOf(processId: string): LogAddress {
    return getOrInsertComputed(this.listenerLogs, processId, () =>
      listenerLog(this.dependencies.keys, processId),
    );
  }

  private send(log: LogAddress, detection: ReceivedDetection, redelivered = false, onSettled?: OnSettled) {
    const trace = this.context.tracing.current?.sending(detection, log);
    this.writer.push(log, { detection, redelivered, bytes: detection.frame.length, trace, onSettled });
  }

  /** Appends a detection again that had been given up. Returns whether any process can use it. */
  private replay(letter: TracedLetter, onSettled: OnSettled): boolean {
    const { audience, detectionId, frame, processId, receivedAt, workerUrl } = letter;
    // The entry of another program: it would only become a dead letter again.
    if (frame === '') return false;
    const subscriptionIdentifier = letter.subscriptionIdentifier ?? '';
    const listening = this.interests.listening(subscriptionIdentifier);
    const listener = listening.includes(processId) ? processId : listening[0];
    if (audience === 'listener' && listener === undefined) return false;
    const trace = letter.trace === null ? undefined : this.context.tracing.current?.resumed(letter.trace);
    const detection = { detectionId, workerUrl, subscriptionIdentifier, receivedAt, frame, trace };
    const log =
      audience === 'owner' ? this.partitionFor(subscriptionIdentifier) : this.listenerLogOf(listener!);
    this.send(log, detection, true, onSettled);
    return true;
  }
}

/** Calls back after so many outcomes, unless one of them leaves the detection to a later master. */
function whenSettled(copies: number, onSettled: () => void): OnSettled {
  let open = copies;
  return (outcome) => {
    if (outcome !== 'discarded' && --open === 0) onSettled();
  };
}

/** The latest term that a log shows. */
const termOf = ({ lastId, recordTerm }: TermClaim): number =>
  Math.max(Number(lastId.split('-')[0]), Number(recordTerm) || 0);

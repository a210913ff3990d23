import { systemClock, type Clock } from '@detector-cluster/election';
import { FencedError } from '@detector-cluster/election/fence';
import { pause, toError } from '@detector-cluster/election/util';
import { setMaxListeners } from 'node:events';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import type { TracedLetter } from '../dead-letters/dead-letter.js';
import type { ReceivedDetection } from '../log/detection-message.js';
import { listenerLog, partitionLog, type LogAddress } from '../log/log-address.js';
import type { LogStore, OwnerRecord } from '../log/log-store.js';
import { partitionOf } from '../log/partition-of.js';
import { DetectionRates } from '../ownership/detection-rates.js';
import { PartitionAssigner } from '../ownership/partition-assigner.js';
import { PartitionCount, type PartitionCountStore } from '../ownership/partition-count.js';
import { TracerSlot } from '../tracing/tracer-slot.js';
import { InterestIndex, type InterestStore } from './interest-index.js';
import { LogWriter, type LogWriterDependencies } from './log-writer.js';
import { Replayer, type ReplayStore } from './replayer.js';
import type { RouterContext } from './router-context.js';
import { RouterCounters } from './router-counters.js';
import type { RouterEvent } from './router-event.js';
import { routerDefaults, type RouterOptions } from './router-options.js';
import type { RouterStats } from './router-stats.js';

/** What a router needs of Redis. */
export interface RouterStores {
  readonly logs: LogStore;
  readonly append: LogWriterDependencies;
  readonly interests: InterestStore;
  readonly partitions: PartitionCountStore;
  readonly replays: ReplayStore;
  /**
   * Calls back when a process says that its interests, the owner of a partition, or the requested replays have changed. Hints may
   * be lost. Returns a function that ends it.
   */
  watch(looks: {
    readonly interests: () => void;
    readonly owners: () => void;
    readonly replays: () => void;
  }): () => void;
  /** Closes what was opened for this router. */
  close(): void;
}

export interface RouterDependencies {
  readonly stores: RouterStores;
  readonly keys: ClusterKeys;
  /** This process. */
  readonly processId: string;
  /** Term of this master: the first half of every entry's id. */
  readonly term: number;
  /** Whether this process may write as master at this instant; asked before every append. */
  readonly isValid: () => boolean;
  /** Writes partition → owner where others read it, and tells processes to read the owner records. Repeated until it resolves. */
  readonly publishAssignments: (assignments: Readonly<Record<string, string>>) => Promise<void>;
  /** Calls `setMembers` with the present members; rejects when they cannot be read. Called at the start and every few seconds. */
  readonly readMembers?: () => Promise<void>;
  readonly onEvent?: (event: RouterEvent) => void;
  readonly clock?: Clock;
  /** Where to count; the routers of one process share them to count over all its terms. Default new ones. */
  readonly counters?: RouterCounters;
  /** Default none. */
  readonly tracing?: TracerSlot;
  readonly options?: Partial<RouterOptions>;
}

/**
 * The sending half of delivery, in the master: appends each detection to the partition of its subscription, and copies it to the
 * listener streams of the processes that have listeners for the subscription.
 *
 * A detection is accepted when Redis has confirmed it. From then on it reaches callbacks at least once. Before, it waits in a
 * bounded buffer of this process. Every loss is counted. Who owns a partition makes no difference to appending.
 */
export class DetectionRouter {
  private readonly context: RouterContext;
  private readonly ended = new AbortController();
  private readonly writer: LogWriter;
  private readonly interests: InterestIndex;
  private readonly assigner: PartitionAssigner;
  private readonly rates: DetectionRates;
  private readonly count: PartitionCount;
  private readonly replayer: Replayer;
  private readonly listenerLogs = new Map<string, LogAddress>();
  private partitions: readonly LogAddress[] = [];
  private owners: readonly string[] = [];
  private alive: ReadonlySet<string>;
  private started = false;
  private handingOver = false;

  constructor(private readonly dependencies: RouterDependencies) {
    const { clock = systemClock, isValid, processId, publishAssignments, stores, term } = dependencies;
    this.alive = new Set([processId]);
    setMaxListeners(0, this.ended.signal);
    const context: RouterContext = {
      term,
      options: { ...routerDefaults, ...dependencies.options },
      counters: dependencies.counters ?? new RouterCounters(),
      tracing: dependencies.tracing ?? new TracerSlot(),
      clock,
      onEvent: dependencies.onEvent ?? (() => undefined),
      isValid,
      store: stores.logs,
      signal: this.ended.signal,
      deposed: () => this.end({ type: 'deposed' }),
    };
    this.context = context;
    this.rates = new DetectionRates(() => clock.now());
    this.writer = new LogWriter(context, stores.append);
    this.count = new PartitionCount(context, stores.partitions, {
      partitions: (count) => this.logsOf(count),
      hold: () => this.writer.hold(),
      onChanged: (records) => this.repartition(records),
    });
    this.interests = new InterestIndex(context, stores.interests, {
      isMember: (member) => this.alive.has(member),
      readMembers: () => this.readMembers(),
      onGlobalChanged: () => this.assigner.soon(),
    });
    this.assigner = new PartitionAssigner(context, {
      partitions: () => this.partitions,
      rates: this.rates,
      candidates: () => this.candidates(),
      alive: () => this.alive,
      publish: publishAssignments,
    });
    this.replayer = new Replayer(context, stores.replays, {
      send: (letter, onSettled) => this.replay(letter, onSettled),
    });
  }

  /** Reads what is needed to append, then begins. What is routed before is counted as discarded. Waits while Redis is unavailable. */
  async start(): Promise<void> {
    const { clock, onEvent, signal } = this.context;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await Promise.all([this.readMembers(), this.count.begin()]);
        this.partitions = this.logsOf(this.count.current);
        const logs = [...this.partitions, ...[...this.alive].map((member) => this.listenerLogOf(member))];
        const [records] = await Promise.all([this.context.store.records(logs), this.interests.begin()]);
        if (signal.aborted) return;
        for (const [i, record] of records.entries()) this.writer.begin(logs[i]!, record);
        break;
      } catch (error) {
        if (error instanceof FencedError) return this.end({ type: 'deposed' });
        // The first try often comes before the connection stands.
        if (attempt > 2) onEvent({ type: 'redis-error', error: toError(error) });
        await pause(Math.min(25 * 2 ** Math.min(attempt, 5), 500), clock, signal);
      }
    }
    if (signal.aborted) return;
    this.started = true;
    this.assigner.start();
    this.replayer.soon();
    const unwatch = this.dependencies.stores.watch({
      interests: () => this.interests.refreshSoon(),
      owners: () => this.assigner.soon(),
      replays: () => this.replayer.soon(),
    });
    signal.addEventListener('abort', unwatch, { once: true });
    void this.lookRegularly();
  }

  /**
   * The processes that may own partitions, in order, and all that live (default: the same; this process always). The partitions of
   * processes that are gone get new owners.
   */
  setMembers(owners: readonly string[], alive: readonly string[] = owners): void {
    const before = this.alive;
    this.owners = owners;
    this.alive = new Set([...alive, ...owners, this.dependencies.processId]);
    this.membersLost([...before].filter((processId) => !this.alive.has(processId)));
    this.assigner.soon();
  }

  /** Leadership was given up: appends what workers still send, and does nothing else. */
  handOver(): void {
    this.handingOver = true;
    this.assigner.stop();
  }

  /** Resolves when it knows the listeners that were written to Redis before the call; also when Redis is unavailable. */
  readListeners(): Promise<void> {
    return this.interests.refreshed();
  }

  /** Takes a detection. Never waits, never throws. */
  route(detection: ReceivedDetection): void {
    const { counters } = this.context;
    const { subscriptionIdentifier } = detection;
    counters.routed++;
    if (!this.started || this.ended.signal.aborted) {
      counters.discarded++;
      return;
    }
    const listening = this.interests.listening(subscriptionIdentifier);
    if (this.interests.globalListeners.size > 0) {
      const log = this.partitionFor(subscriptionIdentifier);
      this.rates.observe(log.partition!);
      this.send(log, detection);
    } else if (listening.length === 0) counters.unheard++;
    for (const processId of listening) this.send(this.listenerLogOf(processId), detection);
  }

  stats(): RouterStats {
    const { options } = this.context;
    const logs = [...this.writer.written].map(([stream, log]) => [stream, log.backlog(options)] as const);
    return {
      ...this.context.counters,
      buffered: this.writer.length,
      partitions: this.count.current,
      assignments: this.assigner.assignments,
      rates: Object.fromEntries(this.rates.current()),
      logs: Object.fromEntries(logs),
    };
  }

  /** Waits up to `ms` until everything buffered is accepted. Returns how much is left. */
  async drainFor(ms: number): Promise<number> {
    const { clock, signal } = this.context;
    const deadline = clock.now() + ms;
    while (this.writer.length > 0 && clock.now() < deadline && !signal.aborted) await pause(5, clock, signal);
    return this.writer.length;
  }

  /** Ends everything now; what is buffered is counted and reported as discarded. Idempotent. */
  close(): Promise<void> {
    this.end();
    return Promise.resolve();
  }

  private end(event?: RouterEvent): void {
    if (this.ended.signal.aborted) return;
    const { counters, onEvent } = this.context;
    const left = this.writer.takeAll();
    this.ended.abort();
    for (const { entry } of left) {
      entry.trace?.end('discarded');
      entry.onSettled?.(false);
    }
    counters.discarded += left.length;
    this.dependencies.stores.close();
    if (event) onEvent(event);
    if (left.length > 0) onEvent({ type: 'discarded', count: left.length });
  }

  /**
   * Only a process with global listeners may own partitions: another one would finish entries without running a callback. The
   * master does so only where no other process can.
   */
  private candidates(): readonly string[] {
    const { globalListeners } = this.interests;
    const others = this.owners.filter((owner) => globalListeners.has(owner));
    const { processId } = this.dependencies;
    return others.length === 0 && globalListeners.has(processId) ? [processId] : others;
  }

  private membersLost(processes: readonly string[]): void {
    if (processes.length === 0) return;
    for (const processId of processes) {
      const log = this.listenerLogs.get(processId);
      if (log !== undefined) this.writer.forget(log);
      this.listenerLogs.delete(processId);
    }
    if (this.started) void this.interests.forget(processes);
  }

  private async readMembers(): Promise<void> {
    await this.dependencies.readMembers?.();
  }

  /** What hints may have missed, how full the logs are, and the number of partitions. */
  private async lookRegularly(): Promise<void> {
    const { clock, isValid, onEvent, options, signal } = this.context;
    for (;;) {
      await pause(options.lookInterval, clock, signal);
      if (signal.aborted || this.handingOver) return;
      try {
        await this.readMembers();
        this.interests.refreshSoon();
        this.replayer.soon();
        await this.writer.observe();
        if (!isValid()) continue;
        await this.count.restore();
        if (this.count.changePending) await this.count.tryChange();
      } catch (error) {
        if (!signal.aborted) onEvent({ type: 'redis-error', error: toError(error) });
      }
    }
  }

  /** What waits in this process goes to the partitions as they are now. */
  private repartition(records: readonly OwnerRecord[]): void {
    this.partitions = this.logsOf(this.count.current);
    const waiting = this.writer.takeAll();
    for (const [partition, log] of this.partitions.entries()) this.writer.begin(log, records[partition]!);
    for (const { log, entry } of waiting)
      this.writer.push(
        log.partition === null ? log : this.partitionFor(entry.detection.subscriptionIdentifier),
        entry,
      );
    this.assigner.soon();
  }

  private partitionFor(subscriptionIdentifier: string): LogAddress {
    return this.partitions[partitionOf(subscriptionIdentifier, this.partitions.length)]!;
  }

  private logsOf(count: number): LogAddress[] {
    return Array.from({ length: count }, (_, partition) => partitionLog(this.dependencies.keys, partition));
  }

  private listenerLogOf(processId: string): LogAddress {
    let log = this.listenerLogs.get(processId);
    if (log === undefined)
      this.listenerLogs.set(processId, (log = listenerLog(this.dependencies.keys, processId)));
    return log;
  }

  private send(
    log: LogAddress,
    detection: ReceivedDetection,
    redelivered = false,
    onSettled?: (accepted: boolean) => void,
  ): void {
    const trace = this.context.tracing.current?.sending(detection, log);
    const bytes = detection.frame.length;
    this.writer.push(log, { detection, redelivered, bytes, trace, onSettled });
  }

  /** Appends a detection again that had been given up. Returns whether any process can use it. */
  private replay(letter: TracedLetter, onSettled: (accepted: boolean) => void): boolean {
    const { audience, detectionId, frame, receivedAt, subscriptionIdentifier, workerUrl } = letter;
    const detection = {
      detectionId,
      workerUrl,
      subscriptionIdentifier: subscriptionIdentifier ?? '',
      receivedAt,
      frame,
      ...(letter.trace !== null && { trace: this.context.tracing.current?.resumed(letter.trace) }),
    };
    if (audience === 'owner') {
      this.send(this.partitionFor(detection.subscriptionIdentifier), detection, true, onSettled);
      return true;
    }
    const listening = this.interests.listening(detection.subscriptionIdentifier);
    const processId = listening.includes(letter.processId) ? letter.processId : listening[0];
    if (processId === undefined) return false;
    this.send(this.listenerLogOf(processId), detection, true, onSettled);
    return true;
  }
}

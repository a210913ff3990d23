import type { TimerHandle } from '@detector-cluster/election';
import { pause, getOrInsertComputed } from '@detector-cluster/election/internal';
import { CallLane } from '../log/call-lane.js';
import type { LogAddress } from '../log/log-address.js';
import type { LogAppend, LogStore, OwnerRecord } from '../log/log-store.js';
import { BufferShares } from './buffer-shares.js';
import type { RouterContext, RouterEvent } from './router-context.js';
import { WrittenLog, type OutgoingEntry } from './written-log.js';

type LossEvent = Extract<
  RouterEvent,
  { type: 'backlog-dropped' | 'backlog-refused' | 'buffer-dropped' | 'discarded' }
>;

/** Interval in which losses are summed up, because there are thousands per second at full load. Milliseconds. */
const INTERVAL = 1_000;

/** Adds losses up and reports each kind at most once a second: the first at once. */
class LossReporter {
  private readonly losses = new Map<string, LossEvent>();
  private timer: TimerHandle | undefined;

  constructor(private readonly context: Pick<RouterContext, 'clock' | 'onEvent'>) {}

  add(loss: LossEvent): void {
    const key = `${loss.type} ${'log' in loss ? loss.log : 'worker' in loss ? loss.worker : ''}`;
    const known = this.losses.get(key);
    this.losses.set(key, known === undefined ? loss : { ...known, count: known.count + loss.count });
    if (this.timer === undefined) this.report();
  }

  close(): void {
    this.context.clock.clearTimeout(this.timer);
    this.report();
    this.context.clock.clearTimeout(this.timer);
  }

  private report(): void {
    const losses = [...this.losses.values()];
    this.losses.clear();
    for (const loss of losses) this.context.onEvent(loss);
    this.timer = losses.length > 0 ? this.context.clock.setTimeout(() => this.report(), INTERVAL) : undefined;
  }
}

/** A call does not wait for more entries if this many are waiting. */
const FULL_CALL = 1_024;

/** A call waits as long as the last one took, at most this long. Milliseconds. */
const MAX_LINGER = 8;

export interface LogWriterDependencies {
  /** On a connection of its own, so that nothing delays detections. */
  readonly store: Pick<LogStore, 'append'>;
  /** One call for all logs. If they are on different nodes, one call for each log, so that one node does not delay the others. */
  readonly callPerLog: boolean;
}

/**
 * Appends entries to logs, in the order in which they were given for each log.
 *
 * One call is under way at a time for each log, and it is repeated, with the same ids, until its outcome is known. Entries that arrive
 * in the meantime wait in a bounded buffer. Only this class gives ids to entries.
 */
export class LogWriter {
  /** By stream. */
  readonly logs = new Map<string, WrittenLog>();
  private readonly lanes = new Map<string, CallLane<LogAppend[]>>();
  private readonly losses: LossReporter;
  /** Sequences rise over all logs, so that a log whose figures were forgotten never gets an id twice. */
  private sequence = 0;
  /** Entries that wait, or whose outcome is unknown. */
  buffered = 0;
  private bytes = 0;
  private readonly shares = new BufferShares();
  private holds = 0;

  constructor(
    private readonly context: RouterContext,
    private readonly dependencies: LogWriterDependencies,
  ) {
    this.losses = new LossReporter(context);
    context.signal.addEventListener('abort', () => this.losses.close(), { once: true });
  }

  /** Knows the state of a log before this writer began. */
  begin(log: LogAddress, record: OwnerRecord): void {
    const written = new WrittenLog(log, record.dropped);
    written.observe(record);
    this.logs.set(log.stream, written);
  }

  /** Reads how full the logs are. Rejects when Redis cannot be reached. */
  async observe(): Promise<void> {
    const logs = [...this.logs.values()].map((written) => ({ written, answers: written.answers }));
    const records = await this.context.store.records(logs.map(({ written }) => written.log));
    for (const [i, { answers, written }] of logs.entries())
      // An answer that came in the meantime is newer.
      if (written.answers === answers) written.observe(records[i]!);
  }

  /** Never waits, never throws. */
  push(log: LogAddress, entry: OutgoingEntry): void {
    const written = getOrInsertComputed(this.logs, log.stream, () => new WrittenLog(log, 0));
    if (written.isClosed) return this.discarded([entry]);
    written.queue.push(entry);
    this.buffered++;
    this.bytes += entry.bytes;
    this.shares.add(written, entry);
    this.keepBounds();
    this.laneOf(log.stream).wake(this.buffered >= FULL_CALL);
  }

  /** Forgets an unused log if no entry waits for it, and it is not closed. Returns whether it knows it no longer. */
  forget({ stream }: LogAddress): boolean {
    const written = this.logs.get(stream);
    if (written?.queue.length === 0 && !written.isClosed) this.logs.delete(stream);
    return !this.logs.has(stream);
  }

  /** Starts no further call until the returned function is called. Resolves when none is under way. */
  async hold(): Promise<() => void> {
    this.holds++;
    const { clock, signal } = this.context;
    while (!signal.aborted && [...this.logs.values()].some(({ underWay }) => underWay > 0))
      await pause(1, clock, signal);
    return () => {
      this.holds--;
      for (const lane of this.lanes.values()) lane.wake(true);
    };
  }

  /** The sequence up to which the outcome of all appends to the log is known. */
  settledSequence({ stream }: LogAddress): number {
    const written = this.logs.get(stream);
    return written !== undefined && written.underWay > 0 ? written.first - 1 : this.sequence;
  }

  /** Empties the buffer of a writer that is paused. */
  takeAll(): { readonly log: LogAddress; readonly entry: OutgoingEntry }[] {
    return [...this.logs.values()].flatMap((written) =>
      this.take(written).map((entry) => ({ log: written.log, entry })),
    );
  }

  /** Drops what waits for these logs, because the term is over. */
  discard(logs: Iterable<WrittenLog> = this.logs.values()): void {
    for (const log of logs) {
      log.close();
      this.discarded(this.take(log));
    }
  }

  private discarded(lost: readonly OutgoingEntry[]): void {
    for (const { onSettled, trace } of lost) {
      trace?.end('discarded');
      onSettled?.('discarded');
    }
    const { counters } = this.context;
    counters.discarded += lost.length;
    counters.kept += lost.filter(({ onSettled }) => onSettled !== undefined).length;
    if (lost.length > 0) this.losses.add({ type: 'discarded', count: lost.length });
  }

  private take(log: WrittenLog): OutgoingEntry[] {
    const { queue } = log;
    this.buffered -= queue.length;
    this.bytes -= queue.bytes;
    log.underWay = 0;
    const taken = queue.take(queue.length);
    for (const entry of taken) this.shares.remove(log, entry);
    return taken;
  }

  private laneOf(stream: string): CallLane<LogAppend[]> {
    const key = this.dependencies.callPerLog ? stream : '';
    return getOrInsertComputed(this.lanes, key, () => this.openLane(key));
  }

  private openLane(key: string): CallLane<LogAppend[]> {
    const { clock, isOver, isValid, onEvent, options, signal } = this.context;
    const logs = () => (key === '' ? [...this.logs.values()] : [this.logs.get(key)].filter((log) => !!log));
    return new CallLane<LogAppend[]>({
      clock,
      signal,
      linger: options.linger,
      longestLinger: MAX_LINGER,
      waiting: () => logs().some(({ queue }) => queue.length > 0),
      mayCall: (repeated) => (isOver() || isValid()) && (repeated || this.holds === 0),
      compose: () => this.compose(logs()),
      call: (appends) => this.append(appends),
      onError: (error) => onEvent({ type: 'redis-error', error }),
    });
  }

  /** Returns what is for logs that show a later term. It is sent again if that term has never begun. */
  private async append(appends: LogAppend[]): Promise<LogAppend[] | undefined> {
    const { disputed, isOver, options, signal, term } = this.context;
    const results = await this.dependencies.store.append(appends, { ...options, term, over: isOver() });
    const left: LogAppend[] = [];
    for (const [i, result] of results.entries()) {
      if (signal.aborted) return undefined;
      const log = this.logs.get(appends[i]!.log.stream)!;
      if (result.code === 'done') this.settle(log, result);
      else if (isOver()) this.discard([log]);
      else left.push(appends[i]!);
    }
    if (left.length > 0) {
      await disputed(left.map(({ log }) => log));
      return left;
    }
    if (this.buffered >= FULL_CALL) for (const lane of this.lanes.values()) lane.wake(true);
    return undefined;
  }

  private compose(logs: Iterable<WrittenLog>): LogAppend[] {
    const { options } = this.context;
    const appends: LogAppend[] = [];
    let entries = options.callEntries;
    let bytes = options.callBytes;
    for (const log of logs) {
      if (log.queue.length === 0) continue;
      if (entries <= 0 || bytes <= 0) break;
      const append = log.compose(this.sequence + 1, entries, bytes, options);
      this.sequence += log.underWay;
      entries -= log.underWay;
      for (const { text } of append.batches) bytes -= text.length;
      appends.push(append);
      // A log that was written goes to the end of the queue.
      this.logs.delete(log.log.stream);
      this.logs.set(log.log.stream, log);
    }
    return appends;
  }

  private settle(log: WrittenLog, result: Parameters<WrittenLog['settle']>[0]): void {
    const { counters } = this.context;
    this.buffered -= log.underWay;
    this.bytes -= log.queue.bytes;
    for (const entry of log.queue.peek(log.underWay, Number.POSITIVE_INFINITY))
      this.shares.remove(log, entry);
    const { dropped, refused } = log.settle(result);
    this.bytes += log.queue.bytes;
    counters.accepted += result.accepted;
    counters.present += result.present;
    counters.refused += refused;
    counters.dropped += dropped;
    const { stream } = log.log;
    if (dropped > 0) this.losses.add({ type: 'backlog-dropped', log: stream, count: dropped });
    if (refused > 0) this.losses.add({ type: 'backlog-refused', log: stream, count: refused });
  }

  /** A full buffer costs the worker that holds most of it. Entries under way stay: Redis may have them. */
  private keepBounds(): void {
    const { maxBufferBytes, maxBufferEntries, overflow } = this.context.options;
    const which = overflow === 'drop-oldest' ? 'oldest' : 'newest';
    while (this.buffered > maxBufferEntries || this.bytes > maxBufferBytes) {
      const { logs, worker } = this.shares.largest(this.buffered > maxBufferEntries ? 'entries' : 'bytes');
      const isItsOwn = ({ detection }: OutgoingEntry) => detection.workerUrl === worker;
      let lost: OutgoingEntry | undefined;
      for (const log of logs) {
        lost = log.queue.drop(log.underWay, which, isItsOwn);
        if (lost === undefined) continue;
        this.shares.remove(log, lost);
        break;
      }
      // All that it holds is under way.
      if (lost === undefined) return;
      this.buffered--;
      this.bytes -= lost.bytes;
      lost.trace?.end('dropped');
      lost.onSettled?.('dropped');
      this.context.counters.bufferDropped++;
      this.losses.add({ type: 'buffer-dropped', worker, count: 1 });
    }
  }
}

import { pause, toError, Condition } from '@detector-cluster/election/internal';
import type { LogEntry, LogSource, LogStore } from '../log/log-store.js';
import type { ConsumerContext } from './consumer-context.js';
import type { DetectionWindow } from './detection-window.js';
import type { HeldLog } from './held-log.js';

export interface ReaderContext extends ConsumerContext {
  readonly source: LogSource;
  readonly window: Pick<DetectionWindow, 'room' | 'roomBytes' | 'whenRoom' | 'accept'>;
  readonly logs: () => Iterable<HeldLog>;
  readonly store: Pick<LogStore, 'masks'>;
}

/** When a read has brought fewer detections, the next one waits for more, so that not every detection costs a read. */
const MIN_READ = 64;

/** A batch is taken to have this many bytes before any was read. */
const UNKNOWN_SIZE = 256 * 1024;

/** The most that a batch may have. A read is limited by its batches alone. */
const MAX_IN_BATCH = 32;

/**
 * Reads the logs that this process holds, each from its cursor. The cursor is the only state: a reply that was lost is read again,
 * and an entry is never read twice under one epoch.
 */
export class LogReader {
  read = 0;
  /** Since when reading fails, or has not begun to succeed; null while it succeeds. Milliseconds, monotonic. */
  private failingSince: number | null = null;
  /** Index of the log that is read next if there is no room for all logs. */
  private turn = 0;
  /** Bytes and detections of a large batch, by those of the last reads. */
  private batchBytes = UNKNOWN_SIZE;
  private batchDetections = MAX_IN_BATCH;
  private readonly condition: Condition;
  /** Resolves when the reader has stopped; `signal` stops it. */
  stopped: Promise<void> = Promise.resolve();

  constructor(private readonly context: ReaderContext) {
    this.condition = new Condition(context.clock);
  }

  start(): void {
    this.failingSince = this.context.clock.now();
    this.stopped = this.run();
  }

  /** How long nothing could be read; null while reading succeeds, also when it waits for slow callbacks. Milliseconds. */
  get unreadableFor(): number | null {
    return this.failingSince === null ? null : this.context.clock.now() - this.failingSince;
  }

  soon(): void {
    this.condition.notify();
  }

  private async run(): Promise<void> {
    const { clock, onEvent, options, signal, window } = this.context;
    while (!signal.aborted) {
      const room = this.room(window.room());
      if (room <= 0) {
        await window.whenRoom();
        continue;
      }
      const logs = [...this.context.logs()].filter((log) => !log.draining && log.remainingWait === 0);
      if (logs.length === 0) {
        await this.condition.wait(options.readBlock, signal);
        continue;
      }
      try {
        const chosen = this.nextLogs(logs, room);
        const all = chosen.length === logs.length;
        const read = await this.readOnce(chosen, this.countOf(room / chosen.length), all);
        this.failingSince = null;
        if ((read > 0 || !all) && read < MIN_READ) await pause(options.readLinger, clock, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        this.failingSince ??= clock.now();
        onEvent({ type: 'redis-error', error: toError(thrown) });
        await pause(50, clock, signal);
      }
    }
  }

  /** How many batches of the usual size fit, at least one if there is any room. */
  private room(detections: number): number {
    if (detections <= 0) return 0;
    const fitting = Math.min(
      detections / this.batchDetections,
      this.context.window.roomBytes / this.batchBytes,
    );
    return Math.max(1, Math.floor(fitting));
  }

  /**
   * How many batches of one log a read asks for. They may all be larger than usual, so it asks for two at least, because less than it has
   * asked for shows the end of a log, and otherwise for so many that fit.
   */
  private countOf(room: number): number {
    const fitting = (room * this.batchDetections) / MAX_IN_BATCH;
    return Math.max(1, Math.min(2, Math.floor(room)), Math.floor(fitting));
  }

  /** Selects logs, at most as many as there is room for one batch of each. If that is not all of them, the logs take turns. */
  private nextLogs(logs: readonly HeldLog[], room: number): readonly HeldLog[] {
    if (logs.length <= room) return logs;
    const start = this.turn % logs.length;
    this.turn = start + room;
    return [...logs.slice(start), ...logs.slice(0, start)].slice(0, room);
  }

  private async readOnce(logs: readonly HeldLog[], count: number, mayWait: boolean): Promise<number> {
    const { options, signal, source } = this.context;
    const cursors = logs.map(({ cursor, epoch, log }) => ({ log, cursor, epoch }));
    // The first read, and the first one after a failure, returns at once to show that reading works.
    const block = mayWait && this.failingSince === null ? options.readBlock : 0;
    const found = await source.read(cursors, count, block);
    let read = 0;
    let largest = 0;
    let longest = 0;
    for (const log of logs) {
      const page = found.get(log.log.stream);
      if (page === undefined || signal.aborted) continue;
      for (const { bytes, messages } of page.entries) {
        read += messages.length;
        largest = Math.max(largest, bytes);
        longest = Math.max(longest, messages.length);
      }
      if (page.entries.length > 0) await this.take(log, page.entries);
      if (page.complete) log.catchingUp = log.readsMasks = false;
    }
    this.read += read;
    // Also without entries: where nothing waits, a read brings no more than what has just been appended.
    this.batchBytes = Math.max(largest, this.batchBytes / 2, 1);
    this.batchDetections = Math.max(longest, this.batchDetections / 2, 1);
    return read;
  }

  private async take(log: HeldLog, entries: readonly LogEntry[]): Promise<void> {
    const { store, window } = this.context;
    if (!log.readsMasks) return window.accept(log, entries);
    const ids = entries.map(({ id }) => id);
    const found = await store.masks(log.log, ids);
    // A full log that has dropped a batch since it was read has dropped its mask, too. What of it was finished, Redis does not know any more.
    const left = entries.filter((_, i) => found[i] !== null);
    window.accept(log, left, new Map(ids.map((id, i) => [id, found[i] ?? ''])));
  }
}

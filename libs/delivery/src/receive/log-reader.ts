import { pause, toError, Condition } from '@detector-cluster/election/internal';
import type { LogSource } from '../log/log-store.js';
import type { ConsumerContext } from './consumer-context.js';
import type { DetectionWindow } from './detection-window.js';
import type { HeldLog } from './held-log.js';

export interface ReaderContext extends ConsumerContext {
  readonly source: LogSource;
  readonly window: Pick<DetectionWindow, 'room' | 'roomBytes' | 'whenRoom' | 'accept'>;
  readonly logs: () => Iterable<HeldLog>;
}

/** When a read has brought fewer entries, the next one waits for more, so that not every entry costs a read. */
const ENOUGH = 64;

/** A message is taken to have this many bytes before any was read: that of a worker's largest detection. */
const UNKNOWN_SIZE = 64 * 1024;

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
  /** Bytes of a large message, by those of the last reads. */
  private messageBytes = UNKNOWN_SIZE;
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
      // Redis limits a read by its entries alone. So many of the usual size fit.
      const room = Math.min(window.room(), Math.max(1, Math.floor(window.roomBytes / this.messageBytes)));
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
        const read = await this.readOnce(chosen, Math.max(1, Math.floor(room / chosen.length)), all);
        this.failingSince = null;
        if ((read > 0 || !all) && read < ENOUGH) await pause(options.readLinger, clock, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        this.failingSince ??= clock.now();
        onEvent({ type: 'redis-error', error: toError(thrown) });
        await pause(50, clock, signal);
      }
    }
  }

  /** Selects logs, at most as many as there is room for one entry of each. If that is not all of them, the logs take turns. */
  private nextLogs(logs: readonly HeldLog[], room: number): readonly HeldLog[] {
    if (logs.length <= room) return logs;
    const start = this.turn % logs.length;
    this.turn = start + room;
    return [...logs.slice(start), ...logs.slice(0, start)].slice(0, room);
  }

  private async readOnce(logs: readonly HeldLog[], count: number, mayWait: boolean): Promise<number> {
    const { options, signal, source, window } = this.context;
    const cursors = logs.map(({ cursor, epoch, log }) => ({ log, cursor, epoch }));
    // The first read, and the first one after a failure, returns at once to show that reading works.
    const block = mayWait && this.failingSince === null ? options.readBlock : 0;
    const found = await source.read(cursors, count, block);
    let read = 0;
    let largest = 0;
    for (const log of logs) {
      const page = found.get(log.log.stream);
      if (page === undefined || signal.aborted) continue;
      read += page.entries.length;
      for (const [, message] of page.entries) largest = Math.max(largest, message?.length ?? 0);
      if (page.entries.length > 0) window.accept(log, page.entries);
      if (page.complete) log.catchingUp = false;
    }
    this.read += read;
    if (read > 0) this.messageBytes = Math.max(largest, this.messageBytes / 2);
    return read;
  }
}

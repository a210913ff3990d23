import type { BoundedQueue } from './bounded-queue.js';
import type { SendTrace } from '../tracing/detection-tracer.js';
import type { RouterContext } from '../router/router-context.js';

/** Reports drops together: at full load there are thousands a second. Milliseconds. */
const REPORT_DELAY = 200;

interface Buffered {
  readonly bytes: number;
  readonly trace?: SendTrace | undefined;
}

/** Puts entries into the buffers of this process, and counts and reports what they cannot take. */
export class BufferAdmission {
  private unreported = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly context: RouterContext) {
    context.signal.addEventListener('abort', () => this.report(), { once: true });
  }

  /** The `kept` oldest entries are under way and are not dropped for the new one. */
  push<T extends Buffered>(queue: BoundedQueue<T>, entry: T, kept: number): void {
    queue.push(entry);
    const keep = this.context.options.overflow === 'drop-oldest' ? kept : queue.length - 1;
    while (queue.overLimit && queue.length > kept) {
      const dropped = queue.dropOldest(Math.min(keep, queue.length - 1));
      if (dropped === undefined) break;
      dropped.trace?.end('dropped');
      this.context.counters.bufferDropped++;
      this.unreported++;
      this.timer ??= setTimeout(() => this.report(), REPORT_DELAY);
    }
  }

  private report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.unreported === 0) return;
    this.context.onEvent({ type: 'buffer-dropped', count: this.unreported });
    this.unreported = 0;
  }
}

import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import { Gate } from '../gate.js';
import { appendEntries, AppendCode, type AppendResult } from './append-entries.js';
import { BoundedQueue } from './bounded-queue.js';
import { publishEntries } from './publish-entries.js';
import type { BufferAdmission } from './buffer-admission.js';
import type { OutgoingEntry } from '../router/routed-detection.js';
import type { RouterContext } from '../router/router-context.js';
import type { ProcessBacklog } from '../router/router-stats.js';

export interface WriterHooks {
  readonly admission: BufferAdmission;
  /** Process → entries ever dropped for it, as far as they are reported. */
  readonly droppedBefore: Map<string, number>;
  /** The stream has been missing for longer than the grace. Called once until it is there again. */
  readonly onMissing: (processId: string) => void;
}

/** How often to look whether this process may write again, or a missing stream is there. Milliseconds. */
const LOOK_AGAIN = 20;

/**
 * Writes to the stream of one process: one call at a time, in order, each entry under the same id until its fate is known.
 */
export class StreamWriter {
  readonly queue: BoundedQueue<OutgoingEntry>;
  private entries = 0;
  private bytes = 0;
  private dropped = 0;
  /** The oldest entries of the queue that may have been applied. */
  private underWay = 0;
  private pauses = 0;
  private pumping = false;
  private missingSince: number | undefined;
  private missingReported = false;
  private readonly changed = new Gate();

  constructor(
    readonly processId: string,
    private readonly context: RouterContext,
    private readonly hooks: WriterHooks,
  ) {
    const { options, signal } = context;
    this.queue = new BoundedQueue(options.maxBufferEntries, options.maxBufferBytes);
    signal.addEventListener('abort', () => this.changed.open(), { once: true });
  }

  get missing(): boolean {
    return this.missingSince !== undefined;
  }

  push(entry: OutgoingEntry): void {
    this.hooks.admission.push(this.queue, entry, this.underWay);
    this.wake();
  }

  /** Stops sending. Resolves when the fate of all that was sent is known. */
  async pause(): Promise<void> {
    this.pauses++;
    while (this.underWay > 0 && !this.context.signal.aborted) await this.changed.wait();
  }

  resume(): void {
    this.pauses--;
    this.wake();
  }

  /** Resolves when everything is sent, or cannot be because there is no stream. */
  async flushed(): Promise<void> {
    while (this.queue.length > 0 && !this.missing && !this.context.signal.aborted) await this.changed.wait();
  }

  /** Whether entries of this worker wait here. */
  owes(workerUrl: string): boolean {
    return this.queue.some(({ detection }) => detection.workerUrl === workerUrl);
  }

  /** Empties the queue of a writer that is paused for good. */
  takeAll(): OutgoingEntry[] {
    return this.queue.takeAll();
  }

  backlog(): ProcessBacklog {
    return { entries: this.entries, bytes: this.bytes, buffered: this.queue.length, dropped: this.dropped };
  }

  private wake(): void {
    if (this.pumping || this.context.signal.aborted || !this.mayPump()) return;
    this.pumping = true;
    // What arrives in the same turn of the event loop goes out together.
    setImmediate(() => void this.pump());
  }

  /** What may have been applied is always settled, paused or not. */
  private mayPump(): boolean {
    return this.underWay > 0 || (this.queue.length > 0 && this.pauses === 0);
  }

  private async pump(): Promise<void> {
    const { isValid, options, signal } = this.context;
    const send = options.transport === 'pubsub' ? publishEntries : appendEntries;
    let failures = 0;
    while (!signal.aborted && this.mayPump()) {
      if (!isValid()) {
        await delay(LOOK_AGAIN, signal);
        continue;
      }
      const most = this.pauses > 0 ? this.underWay : options.batchEntries;
      const batch = this.queue.peek(most, options.batchBytes);
      for (const entry of batch) if (entry.sequence === 0) entry.sequence = ++this.context.sequence.last;
      this.underWay = Math.max(this.underWay, batch.length);
      try {
        await this.settle(batch, await send(this.context, this.processId, batch), failures > 0);
        failures = 0;
      } catch (thrown) {
        if (signal.aborted) break;
        this.context.onEvent({ type: 'redis-error', error: asError(thrown) });
        failures++;
        await delay(Math.min(LOOK_AGAIN * 2 ** Math.min(failures, 5), 500), signal);
      }
    }
    this.pumping = false;
    this.changed.open();
  }

  private async settle(batch: readonly OutgoingEntry[], result: AppendResult, again: boolean): Promise<void> {
    const { counters, deposed, signal } = this.context;
    if (signal.aborted) return;
    if (result.code === AppendCode.deposed) {
      deposed();
      return;
    }
    if (result.code === AppendCode.noStream) {
      await this.waitForStream(batch, again);
      return;
    }
    this.missingSince = undefined;
    this.missingReported = false;
    this.entries = result.backlogEntries;
    this.bytes = result.backlogBytes;
    counters.accepted += result.accepted;
    counters.duplicatesRefused += result.present;
    if (this.context.options.transport === 'streams') endTraces(batch, result.accepted);
    this.noteDropped(result.droppedEver);
    this.noteRejected(batch.length - result.accepted - result.unheard);
    this.queue.remove(batch.length);
    this.underWay -= batch.length;
    if (this.queue.length === 0 || this.underWay === 0) this.changed.open();
  }

  private noteDropped(ever: number): void {
    const { counters, onEvent } = this.context;
    const before = this.hooks.droppedBefore.get(this.processId) ?? 0;
    // The count starts anew where Redis lost its data.
    const count = ever >= before ? ever - before : ever;
    this.hooks.droppedBefore.set(this.processId, ever);
    if (count === 0) return;
    this.dropped += count;
    counters.dropped += count;
    onEvent({ type: 'backlog-dropped', processId: this.processId, count });
  }

  private noteRejected(count: number): void {
    if (count === 0) return;
    this.context.counters.rejected += count;
    this.context.onEvent({ type: 'backlog-rejected', processId: this.processId, count });
  }

  /** Nothing was written. What an earlier, unanswered call wrote may have been handled before the stream vanished. */
  private async waitForStream(batch: readonly OutgoingEntry[], again: boolean): Promise<void> {
    const { now, options, signal } = this.context;
    for (const entry of batch) {
      entry.redelivered ||= again;
      entry.sequence = 0;
    }
    this.underWay = 0;
    this.missingSince ??= now();
    this.changed.open();
    if (!this.missingReported && now() - this.missingSince >= options.missingStreamGrace) {
      this.missingReported = true;
      this.hooks.onMissing(this.processId);
    }
    await delay(LOOK_AGAIN, signal);
  }
}

/** The first ones were accepted, the others had no room. */
function endTraces(batch: readonly OutgoingEntry[], accepted: number): void {
  for (let i = 0; i < batch.length; i++) batch[i]!.trace?.end(i < accepted ? 'accepted' : 'rejected');
}

import { encodeMessage, type ReceivedDetection } from '../log/detection-message.js';
import type { LogAddress } from '../log/log-address.js';
import type { AppendResult, LogAppend, LogBatch, OwnerRecord } from '../log/log-store.js';
import type { SendOutcome, SendTrace } from '../log/detection-tracer.js';
import type { RouterOptions } from './router-context.js';
import type { LogBacklog } from './router-stats.js';
import { EntryQueue } from './entry-queue.js';

/** Called once with what has become of the entry. After `discarded`, a later master may get it. */
export type OnSettled = (outcome: SendOutcome) => void;

/** A detection on its way into one log. */
export interface OutgoingEntry {
  readonly detection: ReceivedDetection;
  readonly redelivered: boolean;
  readonly bytes: number;
  readonly trace: SendTrace | undefined;
  readonly onSettled?: OnSettled;
}

/** Maximum number of detections that an owner has queued. If a full log drops them, they are still delivered. */
const MAX_QUEUED = 1_000;

/** Most detections of a batch: half of what an owner may have finished without a confirmation. */
const MAX_IN_BATCH = 32;

/** Most characters of the messages of a batch with several detections. */
const MAX_BYTES = 256 * 1024;

/** A log that is full drops whole batches, so none takes more than this part of it. */
const PART_OF_LOG = 1 / 8;

/** One log as its writer knows it: the waiting entries, the entries under way, and its size at the last write. */
export class WrittenLog {
  /** Entries at the head of the queue whose outcome is unknown: they are neither dropped nor sent under other ids. */
  underWay = 0;
  /** Sequence of the first of them. */
  first = 0;
  /** How often Redis has answered. */
  answers = 0;
  readonly queue = new EntryQueue<OutgoingEntry>();
  /** It takes no more entries. */
  isClosed = false;
  private detections = 0;
  private bytes = 0;
  /** How many entries that were counted here as dropped proved to be delivered. */
  private credit = 0;

  constructor(
    readonly log: LogAddress,
    /** The last count of dropped entries in Redis. */
    private counted: number,
  ) {}

  /**
   * An entry was discarded, and a later master may get it. Then nothing after it may get in before, or the log would take that entry for
   * one that it has had.
   */
  close(): void {
    this.isClosed = true;
  }

  backlog({ maxBacklogBytes, maxBacklogEntries }: RouterOptions): LogBacklog {
    const { bytes, detections } = this;
    const fill = Math.max(detections / maxBacklogEntries, bytes / maxBacklogBytes);
    return { entries: detections, bytes, fill, buffered: this.queue.length };
  }

  /** The state of the log in Redis. Its owner finishes entries even while nothing is written. */
  observe({ bytes, detections }: Pick<OwnerRecord, 'bytes' | 'detections'>): void {
    this.detections = detections;
    this.bytes = bytes;
  }

  /** Takes the oldest entries as batches, whose sequences begin with `first`. */
  compose(first: number, mostEntries: number, mostBytes: number, options: RouterOptions): LogAppend {
    const entries = this.queue.peek(mostEntries, mostBytes);
    this.underWay = entries.length;
    this.first = first;
    const messages = entries.map(({ detection, redelivered, trace }) =>
      encodeMessage(detection, redelivered, trace?.fields ?? null),
    );
    const origins = entries.map(({ detection, redelivered }) =>
      // A replay was in the log before, and is to be there again.
      detection.isNumbered === true && !redelivered
        ? `${detection.detectionId} ${detection.subscriptionIdentifier}`
        : '',
    );
    return { log: this.log, first, batches: batchesOf(messages, options), origins };
  }

  /** Redis has answered for the batch under way. Returns how many entries were refused, and dropped since the last answer. */
  settle({ accepted, bytes, detections, dropped }: AppendResult): { refused: number; dropped: number } {
    const settled = this.queue.take(this.underWay);
    this.underWay = 0;
    this.answers++;
    this.detections = detections;
    this.bytes = bytes;
    for (const [i, { trace, onSettled }] of settled.entries()) {
      const outcome = i < accepted ? 'accepted' : 'refused';
      trace?.end(outcome);
      onSettled?.(outcome);
    }
    return { refused: settled.length - accepted, dropped: this.newlyDropped(dropped) };
  }

  /**
   * Redis counts an entry down again that was dropped while its owner had it queued, so its count may fall a little. A count that
   * falls by more than that began at 0 because Redis lost its data.
   */
  private newlyDropped(dropped: number): number {
    const change = dropped - this.counted;
    this.counted = dropped;
    if (change < -MAX_QUEUED) {
      this.credit = 0;
      return dropped;
    }
    const news = Math.max(0, change - this.credit);
    this.credit = Math.max(0, this.credit - change);
    return news;
  }
}

function batchesOf(messages: readonly string[], options: RouterOptions): LogBatch[] {
  const most = Math.min(MAX_IN_BATCH, Math.ceil(options.maxBacklogEntries * PART_OF_LOG));
  const mostBytes = Math.min(MAX_BYTES, options.maxBacklogBytes * PART_OF_LOG);
  const batches: LogBatch[] = [];
  for (let from = 0; from < messages.length;) {
    let to = from;
    for (let bytes = 0; to < messages.length && to - from < most; to++) {
      bytes += messages[to]!.length;
      if (bytes > mostBytes && to > from) break;
    }
    batches.push({
      count: to - from,
      text: to - from === 1 ? messages[from]! : messages.slice(from, to).join('\n'),
    });
    from = to;
  }
  return batches;
}

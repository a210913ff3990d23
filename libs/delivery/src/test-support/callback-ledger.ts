import type { LogAddress } from '../log/log-address.js';
import type { StoredDetection } from './memory-log-server.js';
import { compareIds } from './memory-stream.js';
import { compareEpochs, type EntryFate, type LogLedger } from './log-ledger.js';

/** The start of a callback. */
export interface CallbackStart {
  readonly processId: string;
  readonly log: LogAddress;
  /** Of the entry. */
  readonly id: string;
  readonly detectionId: string;
  /** Under which the process holds the log. */
  readonly epoch: string;
  readonly attempt: number;
  readonly redelivered: boolean;
}

/** Judges the starts of callbacks of all processes, in the order in which they truly happen. */
export class CallbackLedger {
  /** Entries that were handled again, without those whose callbacks had failed. */
  duplicates = 0;
  /** Detections that were started, by their audience. */
  private readonly started = new Set<string>();
  /** By log or, for partitions, over all of them: the youngest entry of each subscription that was started. */
  private readonly youngest = new Map<string, StoredDetection>();
  private readonly epochs = new Map<string, string>();

  constructor(
    private readonly logs: LogLedger,
    private readonly violated: (what: string) => void,
  ) {}

  start(start: CallbackStart): EntryFate | undefined {
    const { attempt, detectionId, id, log, processId, redelivered } = start;
    const who = `${processId} started ${id} of ${log.stream}`;
    const fate = this.logs.fateOf(log, id);
    if (fate === undefined || fate.detectionId !== detectionId) {
      this.violated(`${who}, which was never there`);
      return undefined;
    }
    this.checkEpoch(start, who);
    if (fate.handled === 0 && attempt === 0 && !fate.isBelow) this.checkOrder(fate, who);
    const audience = log.partition === null ? log.stream : 'owner';
    const key = `${audience} ${detectionId}`;
    if (this.started.has(key) && !redelivered && !fate.appendedAgain)
      this.violated(`${who} again, without saying so`);
    this.started.add(key);
    if (attempt === 0) {
      if (fate.handled > 0 && !fate.failed) this.duplicates++;
      fate.handled++;
    }
    return fate;
  }

  /** No process starts callbacks of a partition after its next owner has started one. */
  private checkEpoch({ epoch, log }: CallbackStart, who: string): void {
    if (log.partition === null) return;
    const highest = this.epochs.get(log.stream) ?? '';
    if (compareEpochs(epoch, highest) < 0)
      this.violated(`${who} under the epoch ${epoch} after others had under ${highest}`);
    else this.epochs.set(log.stream, epoch);
  }

  private checkOrder({ entry, log, subscription }: EntryFate, who: string): void {
    const key = `${log.partition === null ? log.stream : ''} ${subscription}`;
    const youngest = this.youngest.get(key);
    if (youngest !== undefined && compareIds(entry, youngest) < 0)
      this.violated(`${who} for the first time after ${youngest.id} of the same subscription`);
    else this.youngest.set(key, entry);
  }
}

import { instantOf, type ClockInstant, getOrInsertComputed } from '@detector-cluster/election/internal';
import { setMaxListeners } from 'node:events';
import { CallLane } from '../log/call-lane.js';
import type { Failure } from '../dead-letters/dead-letter.js';
import type { Acknowledgement, LogStore, Standing } from '../log/log-store.js';
import type { ConsumerContext } from './consumer-context.js';
import type { HeldBatch } from './held-batch.js';
import type { HeldEntry, HeldLog } from './held-log.js';

export interface AcknowledgerContext extends ConsumerContext {
  readonly store: Pick<LogStore, 'acknowledge' | 'deadLetter'>;
  /** Logs are on different nodes: each has calls of its own. */
  readonly callPerLog: boolean;
  /** Redis has answered: there is room again, and logs may be confirmed. */
  readonly onAnswered: () => void;
  readonly onHandOver: (log: HeldLog) => void;
  readonly onRefused: (log: HeldLog) => void;
}

interface Finished {
  readonly entry: HeldEntry;
  /** Present when the entry becomes a dead letter. */
  readonly failure: Failure | undefined;
}

interface Lane {
  readonly calls: CallLane<Call>;
  due: Finished[];
  confirming: Set<HeldLog>;
}

interface Call {
  readonly due: readonly Finished[];
  readonly calls: readonly { readonly log: HeldLog; readonly call: Acknowledgement }[];
}

/**
 * Tells Redis which detections are finished until Redis confirms it. Every call also confirms that this process owns the log; a log
 * without finished entries can be confirmed alone. One call is under way at a time, with all that has been finished before it, so that
 * calls of a log are numbered and applied in their order.
 */
export class Acknowledger {
  private readonly lanes = new Map<string, Lane>();
  private readonly ended = new AbortController();
  /** Finished entries that are not confirmed. */
  unconfirmed = 0;
  /** The number of the last call. It rises over all logs, so that a returning epoch never uses a number twice. */
  private number = 0;

  constructor(private readonly context: AcknowledgerContext) {
    // Each lane listens to it: many listeners are no leak.
    setMaxListeners(0, this.ended.signal);
  }

  /** Whether no callback may start, because too much would be repeated if this process died. */
  get full(): boolean {
    return this.unconfirmed >= this.context.options.maxUnconfirmed;
  }

  finished(entry: HeldEntry, failure?: Failure): void {
    const { log } = entry;
    if (log.lost) return;
    this.unconfirmed++;
    log.unconfirmed++;
    const lane = this.laneOf(log);
    lane.due.push({ entry, failure });
    // One half of the unconfirmed entries is sent while callbacks of the other half run. A log that is being handed over does not wait.
    lane.calls.wake(lane.due.length * 2 >= this.context.options.maxUnconfirmed || log.draining);
  }

  /** Asks Redis whether this process owns the log. */
  confirm(log: HeldLog): void {
    if (log.lost) return;
    const lane = this.laneOf(log);
    lane.confirming.add(log);
    lane.calls.wake(true);
  }

  /** Discards acknowledgements that are not confirmed. */
  close(): void {
    this.ended.abort();
  }

  private laneOf({ log }: HeldLog): Lane {
    return getOrInsertComputed(this.lanes, this.context.callPerLog ? log.stream : '', () => this.openLane());
  }

  private openLane(): Lane {
    const { clock, onEvent, options } = this.context;
    const calls = new CallLane<Call>({
      clock,
      signal: this.ended.signal,
      linger: options.ackDelay,
      waiting: () => lane.due.length > 0 || lane.confirming.size > 0,
      compose: () => this.compose(lane),
      call: (call) => this.send(call),
      onError: (error) => onEvent({ type: 'redis-error', error }),
    });
    const lane: Lane = { calls, due: [], confirming: new Set() };
    return lane;
  }

  private async send({ calls, due }: Call): Promise<void> {
    const { clock, store } = this.context;
    const useful = calls.filter(({ log }) => !log.lost);
    if (useful.length > 0) {
      const sentAt = instantOf(clock);
      const standings = await store.acknowledge(useful.map(({ call }) => call));
      for (const [i, standing] of standings.entries()) this.answered(useful[i]!.log, standing, sentAt);
    }
    for (const { entry, failure } of due)
      if (failure !== undefined && !entry.log.lost) await this.deadLetter(entry, failure);
    this.unconfirmed -= due.length;
    for (const { entry } of due) {
      entry.log.unconfirmed--;
      entry.log.left(entry);
    }
    this.context.onAnswered();
  }

  private async deadLetter({ batch, log, place }: HeldEntry, failure: Failure): Promise<void> {
    const { clock, onEvent, options, store } = this.context;
    const sentAt = instantOf(clock);
    const { removed, standing } = await store.deadLetter({
      log: log.log,
      process: log.processId,
      epoch: log.epoch,
      id: batch.id,
      place,
      fields: { ...failure },
      most: options.maxDeadLetters,
    });
    if (standing !== 'refused') batch.gaveUp(place);
    this.answered(log, standing, sentAt);
    if (removed > 0) onEvent({ type: 'dead-letters-removed', count: removed });
  }

  private answered(log: HeldLog, standing: Standing, sentAt: ClockInstant): void {
    if (log.lost) return;
    if (standing === 'refused') this.context.onRefused(log);
    else log.confirm(sentAt);
    if (standing === 'hand-over') this.context.onHandOver(log);
  }

  private compose(lane: Lane): Call {
    const { confirming, due } = lane;
    lane.due = [];
    lane.confirming = new Set();
    const finished = new Map<HeldLog, Set<HeldBatch>>([...confirming].map((log) => [log, new Set()]));
    for (const { entry, failure } of due) {
      const batches = getOrInsertComputed(finished, entry.log, () => new Set());
      // A dead letter notes by itself that its detection is finished.
      if (failure !== undefined) continue;
      entry.batch.finish(entry.place);
      batches.add(entry.batch);
    }
    this.number++;
    const calls = [...finished].map(([log, held]) => {
      const { epoch, processId: process } = log;
      const batches = [...held].map((batch) => batch.acknowledgement());
      return { log, call: { log: log.log, process, epoch, number: this.number, batches } };
    });
    return { due, calls };
  }
}

import { doubling, pause, Repeater, toError, getOrInsertComputed } from '@detector-cluster/election/internal';
import { partitionLogs, type LogAddress } from '../log/log-address.js';
import type { LogStore, OwnerRecord } from '../log/log-store.js';
import type { DeliveryKeys } from '../log/delivery-keys.js';
import type { ConsumerContext } from './consumer-context.js';
import { HeldLog, TAKE_OVER_WAIT } from './held-log.js';

/** Pause after a look that failed. Milliseconds. */
const AFTER_FAILURE = 100;

export interface HolderContext extends ConsumerContext {
  readonly processId: string;
  readonly keys: DeliveryKeys;
  readonly store: Pick<LogStore, 'records' | 'release'>;
  readonly readPartitions: () => Promise<number>;
  /** The log may be read, and its callbacks may start, from now on. */
  readonly onReady: (log: HeldLog) => void;
  readonly onLost: (log: HeldLog) => void;
}

/**
 * The partitions that this process owns according to the owner records. It reads the records when a hint says that they have
 * changed, and regularly, because a hint can be lost. The records only let it begin to read: callbacks start by the
 * confirmations of each log.
 */
export class PartitionHolder {
  private readonly looks: Repeater;
  private readonly held = new Map<number, HeldLog>();
  /** The last epoch of each partition that this process has given up or lost. */
  private readonly formerEpochs = new Map<number, string>();
  private readonly releases = new Map<HeldLog, Promise<void>>();
  private partitions: readonly LogAddress[] = [];

  constructor(private readonly context: HolderContext) {
    const { clock, onEvent, signal } = context;
    // The first attempts often come before the connection is open.
    let tolerated = 3;
    this.looks = new Repeater({
      clock,
      signal,
      held: true,
      run: async () => {
        await this.look();
        tolerated = 0;
        this.looks.poke(context.options.lookInterval);
      },
      onError: (error) => {
        if (--tolerated < 0) onEvent({ type: 'redis-error', error });
        this.looks.poke(AFTER_FAILURE);
      },
    });
  }

  start(): void {
    this.looks.start();
  }

  /** The owner records may have changed. */
  soon(): void {
    this.looks.poke();
  }

  get logs(): IterableIterator<HeldLog> {
    return this.held.values();
  }

  /** This process is not the owner. */
  lose(log: HeldLog): void {
    const { partition } = log.log;
    if (partition !== null) {
      this.formerEpochs.set(partition, log.epoch);
      if (this.held.get(partition) === log) this.held.delete(partition);
    }
    if (log.lost) return;
    log.lose();
    this.context.onLost(log);
    this.context.onEvent({ type: 'partition-lost', partition: partition!, epoch: log.epoch });
  }

  /** Starts no further callback of the log, and releases it when the running callbacks have ended and are acknowledged. */
  handOver(log: HeldLog): Promise<void> {
    log.drain();
    return getOrInsertComputed(this.releases, log, () =>
      this.releaseWhenIdle(log).finally(() => this.releases.delete(log)),
    );
  }

  private async releaseWhenIdle(log: HeldLog): Promise<void> {
    const { clock, onEvent, store } = this.context;
    // The next owner of a released log does not wait. So this owner waits as long as a previous owner may still start callbacks.
    const busy = () => log.running > 0 || log.unconfirmed > 0 || log.remainingWait > 0;
    while (!log.lost && busy()) await pause(2, clock, log.signal);
    for (let attempt = 0; !log.lost; attempt++) {
      try {
        await store.release(log.log, log.processId, log.epoch, log.rest);
        this.lose(log);
      } catch (error) {
        if (log.lost) return;
        onEvent({ type: 'redis-error', error: toError(error) });
        await pause(doubling(50, attempt, 1_000), clock, log.signal);
      }
    }
  }

  private async look(): Promise<void> {
    const { context } = this;
    // Redis that lost its data does not know the number until the master has stored it again.
    const count = (await context.readPartitions()) || this.partitions.length;
    if (this.partitions.length !== count) this.partitions = partitionLogs(context.keys, count);
    const records = await context.store.records(this.partitions);
    if (context.signal.aborted) return;
    for (const [partition, record] of records.entries()) this.compare(partition, record);
    for (const [partition, log] of this.held) if (partition >= count) this.lose(log);
  }

  private compare(partition: number, { process, epoch, next, origin }: OwnerRecord): void {
    const { processId } = this.context;
    let log = this.held.get(partition);
    if (log !== undefined && (process !== processId || epoch !== log.epoch)) {
      // The record may be older than the release that is under way.
      this.lose(log);
      log = undefined;
    }
    if (process !== processId) return;
    log ??= this.gain(partition, epoch, origin);
    if (next !== '') void this.handOver(log);
  }

  private gain(partition: number, epoch: string, origin: OwnerRecord['origin']): HeldLog {
    const { clock, onEvent, onReady, processId, signal } = this.context;
    // Redis that lost a release or a grant names this process again, but the next owner may have begun.
    const regained = this.formerEpochs.get(partition) === epoch;
    const wait = (origin === 'released' || origin === 'unfinished') && !regained ? 0 : TAKE_OVER_WAIT;
    const catchingUp = origin === 'taken' || origin === 'unfinished' || regained;
    const log = new HeldLog({ log: this.partitions[partition]!, processId, epoch, wait, catchingUp, clock });
    this.held.set(partition, log);
    onEvent({ type: 'partition-gained', partition, epoch });
    if (wait === 0) onReady(log);
    else
      void pause(wait, clock, signal).then(() => {
        if (!log.lost) onReady(log);
      });
    return log;
  }
}

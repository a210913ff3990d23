import type { Clock } from '@detector-cluster/election';
import { pause, toError, Waker } from '@detector-cluster/election/util';
import { partitionLog, type LogAddress } from '../log/log-address.js';
import type { LogStore, OwnerRecord } from '../log/log-store.js';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';
import { HeldLog, TAKE_OVER_WAIT } from './held-log.js';

export interface HolderContext {
  readonly processId: string;
  readonly keys: ClusterKeys;
  readonly store: Pick<LogStore, 'records' | 'release'>;
  /** The number of partitions; 0 before the first master. */
  readonly readPartitions: () => Promise<number>;
  readonly options: ConsumerOptions;
  readonly clock: Clock;
  readonly onEvent: (event: ConsumerEvent) => void;
  readonly onGained: (log: HeldLog) => void;
  /** The log may be read, and its callbacks may start, from now on. */
  readonly onReady: (log: HeldLog) => void;
  readonly onLost: (log: HeldLog) => void;
  readonly signal: AbortSignal;
}

/**
 * The partitions that this process owns, by what the owner records say. It reads the records when it is told that they have
 * changed, and regularly, because a hint can be lost. What the records say only lets it begin to read: callbacks start by the
 * confirmations of each log.
 */
export class PartitionHolder {
  private readonly held = new Map<number, HeldLog>();
  /** The last epoch of each partition that this process has given up or lost. */
  private readonly formerEpochs = new Map<number, string>();
  private readonly waker: Waker;
  private readonly releases = new Map<HeldLog, Promise<void>>();
  private partitions: readonly LogAddress[] = [];

  constructor(private readonly context: HolderContext) {
    this.waker = new Waker(context.clock);
  }

  get logs(): IterableIterator<HeldLog> {
    return this.held.values();
  }

  start(): void {
    void this.run();
  }

  /** The owner records may have changed. */
  soon(): void {
    this.waker.wake();
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
  }

  /** Starts no further callback of the log, and gives it up when what runs has ended and is acknowledged. */
  handOver(log: HeldLog): Promise<void> {
    log.drain();
    const known = this.releases.get(log);
    if (known !== undefined) return known;
    const release = this.releaseWhenIdle(log).finally(() => this.releases.delete(log));
    this.releases.set(log, release);
    return release;
  }

  private async releaseWhenIdle(log: HeldLog): Promise<void> {
    // The next owner of a released log does not wait. So this one does, while an owner before it may still start callbacks.
    const busy = () => log.running > 0 || log.unconfirmed > 0 || log.remainingWait > 0;
    while (!log.lost && busy()) await pause(2, this.context.clock, log.signal);
    await this.release(log);
  }

  private async run(): Promise<void> {
    const { onEvent, options, signal } = this.context;
    let looked = false;
    for (let attempt = 0; !signal.aborted; attempt++) {
      let wait = options.lookInterval;
      try {
        await this.look();
        looked = true;
      } catch (error) {
        if (signal.aborted) return;
        // The first try often comes before the connection stands.
        if (looked || attempt > 2) onEvent({ type: 'redis-error', error: toError(error) });
        wait = 100;
      }
      await this.waker.sleep(wait, signal);
    }
  }

  private async look(): Promise<void> {
    const { context } = this;
    // Redis that lost its data does not know the number until the master has stored it again.
    const count = (await context.readPartitions()) || this.partitions.length;
    if (this.partitions.length !== count)
      this.partitions = Array.from({ length: count }, (_, partition) =>
        partitionLog(context.keys, partition),
      );
    const records = await context.store.records(this.partitions);
    if (context.signal.aborted) return;
    for (const [partition, record] of records.entries()) this.compare(partition, record);
    for (const [partition, log] of this.held) if (partition >= count) this.lose(log);
  }

  private compare(partition: number, { process, epoch, next, origin }: OwnerRecord): void {
    const { processId } = this.context;
    let log = this.held.get(partition);
    if (log !== undefined && (process !== processId || epoch !== log.epoch)) {
      // While it is being released the record may be older than the release.
      this.lose(log);
      log = undefined;
    }
    if (process !== processId) return;
    log ??= this.gain(partition, epoch, origin);
    if (next !== '') void this.handOver(log);
  }

  private gain(partition: number, epoch: string, origin: OwnerRecord['origin']): HeldLog {
    const { clock, onGained, onReady, processId, signal } = this.context;
    // Redis that lost a release or a grant names this process again, but the next owner may have begun.
    const regained = this.formerEpochs.get(partition) === epoch;
    const wait = (origin === 'released' || origin === 'unfinished') && !regained ? 0 : TAKE_OVER_WAIT;
    const catchingUp = origin === 'taken' || origin === 'unfinished' || regained;
    const log = new HeldLog({ log: this.partitions[partition]!, processId, epoch, wait, catchingUp, clock });
    this.held.set(partition, log);
    onGained(log);
    if (wait > 0)
      void pause(wait, clock, signal).then(() => {
        if (!log.lost) onReady(log);
      });
    return log;
  }

  private async release(log: HeldLog): Promise<void> {
    const { clock, onEvent, store } = this.context;
    for (let attempt = 0; !log.lost; attempt++) {
      try {
        await store.release(log.log, log.processId, log.epoch, log.rest);
        this.lose(log);
        return;
      } catch (error) {
        if (log.lost) return;
        onEvent({ type: 'redis-error', error: toError(error) });
        await pause(Math.min(50 * 2 ** Math.min(attempt, 5), 1_000), clock, log.signal);
      }
    }
  }
}

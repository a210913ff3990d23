import { RedisScript } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import type { ClusterKeys } from '../../redis/cluster-keys.js';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import { DELIVERY_GROUP } from '../delivery-defaults.js';
import { Gate } from '../gate.js';
import { acknowledge } from '../scripts/scripts.generated.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';

const script = new RedisScript<[acknowledged: number, letters: number, removed: number]>(acknowledge);

interface Finished {
  readonly id: string;
  /** Present when the entry becomes a dead letter. */
  readonly failure?: { readonly error: Error; readonly attempts: number };
}

export interface AcknowledgerContext {
  readonly redis: Redis;
  readonly keys: ClusterKeys;
  readonly processId: string;
  readonly options: ConsumerOptions;
  readonly onEvent: (event: ConsumerEvent) => void;
  /** Called once per entry when Redis has confirmed that it is gone. */
  readonly onConfirmed: (id: string) => void;
}

/**
 * Tells Redis which entries are finished, in small batches, until it confirms. A finished entry is forgotten only then,
 * so that an entry which is read again because an acknowledgement was lost is not handled again.
 */
export class Acknowledger {
  private due: Finished[] = [];
  private timer: NodeJS.Timeout | undefined;
  private count = 0;
  private readonly room = new Gate();
  private readonly ended = new AbortController();

  constructor(private readonly context: AcknowledgerContext) {}

  /** Finished entries that are not confirmed. */
  get unconfirmed(): number {
    return this.count;
  }

  get full(): boolean {
    return this.count >= this.context.options.maxUnconfirmed;
  }

  /** Resolves when an entry has been confirmed since the call, or everything ends. */
  whenConfirmed(): Promise<void> {
    return this.room.wait();
  }

  finished(id: string): void {
    this.add({ id });
  }

  failed(id: string, error: Error, attempts: number): void {
    this.add({ id, failure: { error, attempts } });
  }

  /** Sends what is due and waits until all is confirmed, or until `signal` aborts. */
  async settle(signal: AbortSignal): Promise<void> {
    this.flush();
    const stop = () => this.room.open();
    signal.addEventListener('abort', stop);
    while (this.count > 0 && !signal.aborted) await this.room.wait();
    signal.removeEventListener('abort', stop);
  }

  /** Gives up what is not confirmed. */
  close(): void {
    clearTimeout(this.timer);
    this.ended.abort();
    this.room.open();
  }

  private add(entry: Finished): void {
    this.count++;
    this.due.push(entry);
    const { ackBatch, maxUnconfirmed } = this.context.options;
    // What finishes in the same turn goes out together, but for half of all at most: it travels while the other half is handled.
    if (this.due.length * 2 >= maxUnconfirmed) this.flush();
    else if (this.due.length === ackBatch) queueMicrotask(() => this.flush());
    else this.timer ??= setTimeout(() => this.flush(), this.context.options.ackDelay);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.due.length === 0) return;
    const batch = this.due;
    this.due = [];
    void this.send(batch);
  }

  private async send(batch: readonly Finished[]): Promise<void> {
    const { redis, keys, processId, options, onEvent, onConfirmed } = this.context;
    const done = batch.filter((entry) => entry.failure === undefined).map((entry) => entry.id);
    const failures = batch.flatMap(({ id, failure }) =>
      failure === undefined
        ? []
        : [id, failure.error.stack ?? failure.error.message, failure.attempts, new Date().toISOString()],
    );
    const args = [DELIVERY_GROUP, processId, options.maxDeadLetters, done.length, ...done, ...failures];
    for (let attempt = 0; !this.ended.signal.aborted; attempt++) {
      try {
        const [, , removed] = await script.run(redis, [keys.slave(processId), keys.deadLetters], args);
        this.count -= batch.length;
        // First those in whose queues something waits: what is only just taken from the stream would leave them no room.
        this.room.open();
        for (const { id } of batch) onConfirmed(id);
        if (removed > 0) onEvent({ type: 'dead-letters-removed', count: removed });
        return;
      } catch (error) {
        onEvent({ type: 'redis-error', error: asError(error) });
        await delay(Math.min(50 * 2 ** Math.min(attempt, 5), 1_000), this.ended.signal);
      }
    }
  }
}

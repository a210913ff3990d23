import { blockingSettings, closeRedis, openRedis, type RedisSource } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { asError } from '../as-error.js';
import { delay } from '../../util/delay.js';
import { DELIVERY_GROUP } from '../delivery-defaults.js';
import type { ConsumerEvent } from './consumer-event.js';
import type { ConsumerOptions } from './consumer-options.js';
import type { DetectionWindow } from './detection-window.js';
import type { ReadOutage } from './read-outage.js';
import type { RawEntry } from './stream-entry.js';

export interface ReaderContext {
  readonly redis: RedisSource;
  readonly stream: string;
  readonly options: ConsumerOptions;
  readonly window: DetectionWindow;
  /** Told of every success and failure. */
  readonly outage: ReadOutage;
  /** Creates stream and group where they are missing. */
  readonly createStream: () => Promise<void>;
  readonly onEvent: (event: ConsumerEvent) => void;
  readonly signal: AbortSignal;
}

type Reply = [stream: Buffer, entries: RawEntry[]][] | null;

/**
 * The one reader of this process's stream, on a connection of its own because it blocks.
 *
 * After every interruption it first reads what Redis believes to have delivered: the reply that was lost with the
 * connection is older than anything new. For the same reason nothing may be sent twice behind its back.
 */
export class StreamReader {
  read = 0;
  private readonly redis: Redis;
  private running: Promise<void> | undefined;

  constructor(private readonly context: ReaderContext) {
    const settings = {
      ...blockingSettings,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      blockingTimeout: 0,
      socketTimeout: context.options.readBlock + 3_000,
    };
    this.redis = openRedis(context.redis, settings);
    context.signal.addEventListener('abort', () => closeRedis(this.redis), { once: true });
  }

  start(): void {
    this.running ??= this.loop();
  }

  /** Resolves when the reader has stopped; `signal` stops it. */
  async stopped(): Promise<void> {
    await this.running;
  }

  private async loop(): Promise<void> {
    const { createStream, onEvent, outage, signal, window } = this.context;
    let pending: string | null = '0';
    while (!signal.aborted) {
      const room = window.room();
      if (room <= 0) {
        await window.whenRoom();
        continue;
      }
      try {
        pending = pending === null ? await this.readNew(room) : await this.readPending(pending, room);
        outage.succeeded();
      } catch (thrown) {
        if (signal.aborted) return;
        pending = '0';
        outage.failed();
        if (isMissing(thrown)) await createStream();
        else {
          onEvent({ type: 'redis-error', error: asError(thrown) });
          await delay(50, signal);
        }
      }
    }
  }

  private async readNew(room: number): Promise<null> {
    const { options, stream, window } = this.context;
    const count = Math.min(room, options.readCount);
    const reply = (await this.redis.xreadgroupBuffer(
      ...(['GROUP', DELIVERY_GROUP, DELIVERY_GROUP, 'COUNT', count, 'BLOCK', options.readBlock] as const),
      ...(['STREAMS', stream, '>'] as const),
    )) as Reply;
    if (reply?.[0]) this.read += window.accept(reply[0][1]);
    return null;
  }

  /** Returns where to go on, or null when all has been read. */
  private async readPending(from: string, room: number): Promise<string | null> {
    const { options, stream, window } = this.context;
    const count = Math.min(room, options.readCount);
    const reading = this.redis
      .xreadgroupBuffer(
        ...(['GROUP', DELIVERY_GROUP, DELIVERY_GROUP, 'COUNT', count, 'STREAMS', stream, from] as const),
      )
      .then((reply) => (reply as Reply)?.[0]?.[1] ?? []);
    this.read += await window.acceptAgain(reading);
    return (await reading).at(-1)?.[0].toString('latin1') ?? null;
  }
}

/** The stream or its group is gone, also while we waited at it. */
function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && /NOGROUP|UNBLOCKED|no longer exists/.test(thrown.message);
}

import type { Redis } from 'ioredis';
import type { FencedStore } from '../fence/fenced-store.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';

/** Between two looks. Milliseconds. */
const INTERVAL = 10_000;

export type Transport = 'streams' | 'pubsub';

export interface TransportAgreementOptions {
  readonly redis: Redis;
  readonly keys: ClusterKeys;
  /** Of this process. */
  readonly transport: Transport;
  /** The store of this process while it is master, else null. */
  readonly store: () => FencedStore | null;
  /** This process gets no detections; told once for as long as it lasts. */
  readonly onMismatch: (problem: string) => void;
}

/**
 * Whether this process receives in the way the master sends. The master writes down how it does; every other process
 * compares. One that is configured otherwise would wait for ever, without an error.
 */
export class TransportAgreement {
  /** What is wrong and what to do, as far as the last look could tell; null when nothing is. */
  problem: string | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: TransportAgreementOptions) {}

  /** Looks now and again until {@link close}. */
  start(): void {
    const look = () => void this.look();
    this.timer ??= setInterval(look, INTERVAL);
    this.timer.unref();
    look();
  }

  /** Never rejects: who cannot reach Redis, or is deposed, hears of it elsewhere. */
  async look(): Promise<void> {
    const { keys, onMismatch, redis, store, transport } = this.options;
    try {
      const own = store();
      if (own !== null) {
        await own.write([['SET', keys.transport, transport]]);
        this.problem = null;
        return;
      }
      const masters = await redis.get(keys.transport);
      const found = masters === null || masters === transport ? null : describe(transport, masters);
      // Looks may overlap: what another one has told meanwhile is not news.
      const isNews = found !== null && found !== this.problem;
      this.problem = found;
      if (isNews) onMismatch(found);
    } catch {
      // As it was.
    }
  }

  close(): void {
    clearInterval(this.timer);
  }
}

function describe(own: Transport, masters: string): string {
  return (
    `this process gets no detections: its option delivery is ${JSON.stringify(own)}, the master's is ` +
    `${JSON.stringify(masters)}; set the same in every process`
  );
}

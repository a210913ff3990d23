import type { Redis } from 'ioredis';
import type { FencedStore } from '../fence/fenced-store.js';
import type { WorkerConnectionState } from '../model/cluster-state.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { HashMirror } from './hash-mirror.js';

/** Between two writes that bring only newer figures; workers report every 2 s. Milliseconds. */
const FIGURES_INTERVAL = 2_000;

/** Between two writes in any case. Milliseconds. */
const MIN_INTERVAL = 100;

/** Writes what the master knows of each worker to `worker:connections`: changes of state soon, figures every 2 s. */
export class ConnectionPublisher {
  private readonly mirror: HashMirror;
  private timer: NodeJS.Timeout | undefined;
  private lastWrite = Number.NEGATIVE_INFINITY;
  private due = Number.POSITIVE_INFINITY;
  private stopped = false;

  constructor(
    store: FencedStore,
    keys: ClusterKeys,
    private readonly states: () => readonly WorkerConnectionState[],
  ) {
    this.mirror = new HashMirror(store, keys.connections);
  }

  /**
   * Reads what a predecessor left, so that workers which are no longer configured disappear. Resolves with the workers that were online
   * under it.
   */
  async load(redis: Redis): Promise<string[]> {
    const records = await this.mirror.load(redis);
    return [...records].filter(([, record]) => wasOnline(record)).map(([id]) => id);
  }

  /** A worker has come, gone, or changed its streams. */
  stateChanged(): void {
    this.schedule(MIN_INTERVAL);
  }

  /** A worker has reported nothing but newer figures. */
  figuresChanged(): void {
    this.schedule(FIGURES_INTERVAL);
  }

  /** See {@link HashMirror.doubt}. */
  doubt(): void {
    this.mirror.doubt();
    this.stateChanged();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(interval: number): void {
    const due = Math.max(performance.now() + MIN_INTERVAL / 10, this.lastWrite + interval);
    if (this.stopped || due >= this.due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => void this.write(), due - performance.now());
  }

  private async write(): Promise<void> {
    this.lastWrite = performance.now();
    this.due = Number.POSITIVE_INFINITY;
    try {
      await this.mirror.sync(new Map(this.states().map((state) => [state.url, JSON.stringify(state)])));
    } catch {
      // The next report brings another attempt; whether Redis is away or this master is deposed, others notice and say so.
    }
  }
}

function wasOnline(record: string): boolean {
  try {
    return (JSON.parse(record) as Partial<WorkerConnectionState> | null)?.online === true;
  } catch {
    return false;
  }
}

/** Arguments of a backend of the state benchmark. */
export interface StateChildArguments {
  readonly redisUrl: string;
  readonly prefix: string;
  /** URLs of its workers. */
  readonly workers: readonly string[];
  /** How many subscriptions a worker may hold. */
  readonly capacity: number;
}

export interface StateSample {
  /** Duration of each call from its due time. Milliseconds. */
  readonly latencies: readonly number[];
  /** Calls that yielded the safe default, because Redis did not answer in time. */
  readonly unanswered: number;
  /** How long the process was ready to run without a processor during the calls; null if unknown. Milliseconds. */
  readonly waitedMs: number | null;
}

/** Calls of a backend of the state benchmark. */
export interface StateCalls {
  /** Makes this many subscriptions desired. */
  fill(subscriptions: number): Promise<void>;
  /** Whether all workers are online and this many subscriptions are active. */
  whole(subscriptions: number): Promise<boolean>;
  /** Calls `getState` this often, every `interval` milliseconds. */
  sample(count: number, interval: number): Promise<StateSample>;
  /** The longest time that its event loop was blocked since the last call, in milliseconds. */
  blocked(): Promise<number>;
  /** Bytes in use after a collection. */
  heap(): Promise<number>;
}

/** Calls of the workers of the state benchmark. */
export interface QuietWorkersCalls {
  urls(): Promise<string[]>;
}

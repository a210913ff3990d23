import type { SinkCalls } from '../receive/sink-calls.js';

/** Arguments of a backend process. */
export interface BackendArguments {
  readonly redis: string;
  readonly prefix: string;
  /** URLs. */
  readonly workers: readonly string[];
  /** Number of this consumer, which selects its listeners; null for the master, which has none. */
  readonly consumer: number | null;
}

export interface BackendCalls extends SinkCalls {
  isMaster(): Promise<boolean>;
  /** Says why the cluster is not complete; null if it is. */
  problem(): Promise<string | null>;
}

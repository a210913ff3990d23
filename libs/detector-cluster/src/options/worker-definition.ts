import type { WorkerCredentials } from '../connection/worker-credentials.js';

/** One configured worker. */
export interface WorkerDefinition {
  /** The URL without credentials: its name in state, logs and Redis. */
  readonly id: string;
  /** As dialled: `ws://` or `wss://`, without user name and password. */
  readonly url: string;
  /** Default none. */
  readonly credentials?: WorkerCredentials;
  /** How many subscriptions it may hold. */
  readonly capacity: number;
  readonly labels?: Readonly<Record<string, string>>;
}

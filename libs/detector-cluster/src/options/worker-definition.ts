import type { LookupFunction } from 'node:net';
import type { WorkerCredentials } from '../connection/worker-credentials.js';

/** `v1`: single commands, `subscribe` and `unsubscribe`. `v2`: one list of everything, `setSubscriptionList`. */
export type WorkerProtocolVersion = 'v1' | 'v2';

/** One configured worker. */
export interface WorkerDefinition {
  /** The URL without credentials: its name in state, logs and Redis. */
  readonly id: string;
  /** As dialled: `ws://` or `wss://`, without user name and password. */
  readonly url: string;
  /** Default none. */
  readonly credentials?: WorkerCredentials;
  /** Resolves the host of `url` to addresses that are allowed. Default: to all. */
  readonly lookup?: LookupFunction;
  readonly protocol: WorkerProtocolVersion;
  /** How many subscriptions it may hold. */
  readonly capacity: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** One configured worker. */
export interface WorkerDefinition {
  /** The URL without credentials: its name in state, logs and Redis. */
  readonly id: string;
  /** As dialled: `ws://` or `wss://`, credentials allowed. */
  readonly url: string;
  /** How many subscriptions it may hold. */
  readonly capacity: number;
  readonly labels?: Readonly<Record<string, string>>;
}

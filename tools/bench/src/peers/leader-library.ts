/**
 * A library that can elect one leader among processes, used as its documentation says and with the defaults it has; where
 * it has none, with the values of its documentation's example.
 */
export interface LeaderLibrary {
  /** What it keeps its leadership in. */
  readonly store: 'redis' | 'etcd';
  /** How long a leader that the store does not hear of keeps others out, in milliseconds. */
  readonly leaseMs: number;
  /** Begins to compete. */
  join(options: JoinOptions): Promise<Candidacy>;
}

/** One process's part in one election. */
export interface JoinOptions {
  readonly storeUrl: string;
  /** Name of the election. */
  readonly lock: string;
  /** Called whenever the library says that this process leads from now on. */
  onElected(): void;
}

/** A process that competes. */
export interface Candidacy {
  /** What the library says at this moment, without asking anyone: what an application asks before each act. */
  isLeader(): boolean;
  /** Gives up leadership in the way the library offers, and closes its connections. */
  leave(): Promise<void>;
}

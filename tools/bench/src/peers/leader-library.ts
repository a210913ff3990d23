/**
 * A library that can elect one leader among processes. It is used as documented and with its defaults; without a default,
 * with the value in the example of its documentation.
 */
export interface LeaderLibrary {
  /** The store of its leadership. */
  readonly store: 'redis' | 'etcd';
  /** How long a silent leader excludes others, in milliseconds. */
  readonly leaseMs: number;
  /** Begins to compete. */
  join(options: JoinOptions): Promise<Candidacy>;
}

/** The parameters of one process in one election. */
export interface JoinOptions {
  readonly storeUrl: string;
  /** Name of the election. */
  readonly lock: string;
  /** Called whenever the library reports that this process has become leader. */
  onElected(): void;
}

/** A process that competes. */
export interface Candidacy {
  /** The library's current local answer, which an application checks before each action. */
  isLeader(): boolean;
  /** Gives up leadership as the library provides it, and closes its connections. */
  leave(): Promise<void>;
}

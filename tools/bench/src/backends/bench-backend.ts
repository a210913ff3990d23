import type { ElectionBackend } from '@detector-cluster/election';

/** What elections are kept in, outside of the processes that compete. */
export type StoreKind = 'redis' | 'etcd' | 'postgres' | 'mongodb' | 'rethinkdb';

export interface ElectionSetting {
  /** Of the store. */
  readonly url: string;
  /** Name of the election. */
  readonly lock: string;
}

/** One election, as its members in this process see it. */
export interface BenchElection {
  /** One more that can compete. */
  member(): ElectionBackend;
  /** Messages of the members so far that did not go to the store over a network. */
  sent(): number;
  /** Closes what the members have shared, once they are closed. */
  close(): Promise<void>;
}

/** How a backend is measured, with the defaults that it has. */
export interface BenchBackend {
  /** `null`: it elects within one process. */
  readonly store: StoreKind | null;
  /** How often a leader confirms its lease. Milliseconds. */
  readonly heartbeatMs: number;
  /** Whether an uncontested election is mostly waiting, so that many can run at the same time. */
  readonly waits?: boolean;
  open(setting: ElectionSetting): Promise<BenchElection>;
  /** Removes what an election leaves in a store that is not this benchmark's own. */
  forget?(setting: ElectionSetting): Promise<void>;
}

import type { ElectionBackend } from '@detector-cluster/election';

/** The store of an election, outside of the candidates' processes. */
export type StoreKind = 'redis' | 'etcd' | 'postgres' | 'mongodb' | 'rethinkdb';

export interface ElectionSetting {
  /** URL of the store. */
  readonly url: string;
  /** Name of the election. */
  readonly lock: string;
}

/** One election with its members in this process. */
export interface BenchElection {
  /** Creates one more candidate. */
  member(): ElectionBackend;
  /** Messages of the members so far, except those to the store over a network. */
  sent(): number;
  /** Closes the members' shared resources after the members. */
  close(): Promise<void>;
}

/** How a backend is measured, with its defaults. */
export interface BenchBackend {
  /** `null`: it elects within one process. */
  readonly store: StoreKind | null;
  /** How often a leader confirms its lease. Milliseconds. */
  readonly heartbeatMs: number;
  /** Whether an uncontested election is mostly waiting, so that many can run at the same time. */
  readonly waits?: boolean;
  open(setting: ElectionSetting): Promise<BenchElection>;
  /** Removes the remains of an election from a store that is not the benchmark's own. */
  forget?(setting: ElectionSetting): Promise<void>;
}

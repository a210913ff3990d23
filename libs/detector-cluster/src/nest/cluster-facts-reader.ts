import type { MasterSlaveWorkerCluster } from '../node/master-slave-worker-cluster.js';
import { parseHistory } from '../sources/database-history.js';
import type { SubscriptionsByStatus } from '../shared/cluster-state.js';
import { NO_DESCRIPTOR } from '../workers/dial-problem.js';
import { readHeartbeat } from '../operators/master-heartbeat.js';

/** How long callers share one read, because a scrape asks several times. Milliseconds. */
const SHARED_FOR = 500;

const WORKER_STATES = ['Connecting', 'Ready', 'Suspect', 'Offline', 'Quarantined'] as const;

export type WorkersByState = Readonly<Record<(typeof WORKER_STATES)[number], number>>;

/** The figures of the cluster that its master last wrote. Every state and status is present, even if its count is 0. */
export interface ClusterFacts {
  readonly workers: WorkersByState;
  readonly subscriptions: SubscriptionsByStatus;
  /** Whether a worker is not connected because the master can open no connection. */
  readonly masterLacksDescriptors: boolean;
  /** Why the master refuses what the database says; null: it does not. */
  readonly refusedRead: string | null;
  /** Number of desired subscriptions. */
  readonly desired: number;
  /** Milliseconds since a master last confirmed them; null when no master did in the last 24 h. */
  readonly age: number | null;
}

/** Reads {@link ClusterFacts} on any process. */
export class ClusterFactsReader {
  private last: { readonly at: number; readonly facts: Promise<ClusterFacts> } | null = null;

  constructor(private readonly cluster: Pick<MasterSlaveWorkerCluster, 'keys' | 'redis' | 'view'>) {}

  /** At most 500 ms old. Rejects, within the time limit of a command, when Redis cannot be read. */
  read(): Promise<ClusterFacts> {
    const now = performance.now();
    if (this.last === null || now - this.last.at >= SHARED_FOR) this.last = { at: now, facts: this.load() };
    return this.last.facts;
  }

  private async load(): Promise<ClusterFacts> {
    const { keys, redis, view } = this.cluster;
    const [workers, subscriptions, desired, heartbeat, history] = await Promise.all([
      view.workers(),
      view.subscriptionsByStatus(),
      redis.hlen(keys.desired),
      readHeartbeat(redis, keys),
      redis.get(keys.database),
    ]);
    return {
      workers: countBy(
        WORKER_STATES,
        workers.map(({ state }) => state),
      ),
      subscriptions,
      masterLacksDescriptors: workers.some(({ problem }) => problem?.startsWith(NO_DESCRIPTOR) === true),
      refusedRead: parseHistory(history)?.refused ?? null,
      desired,
      age: heartbeat?.age ?? null,
    };
  }
}

/** Values that this version does not know are left out. */
function countBy<Name extends string>(
  names: readonly Name[],
  found: readonly string[],
): Record<Name, number> {
  const counts = new Map<string, number>(names.map((name) => [name, 0]));
  for (const name of found) {
    const count = counts.get(name);
    if (count !== undefined) counts.set(name, count + 1);
  }
  return Object.fromEntries(counts) as Record<Name, number>;
}

import type { MasterElection } from '@detector-cluster/master-election';

/** A timer that the `SchedulerRegistry` lists, and that stops when its entry is deleted. */
export type ListedTimer = ReturnType<MasterElection['timer']>;

/**
 * What the module does again and again, as intervals in the `SchedulerRegistry`. They are listed on every process from its start to its
 * end; some are set only while this process is master.
 */
export function clusterTimers(election: Pick<MasterElection, 'timer'>): ClusterTimers {
  const timer = (name: string) => election.timer(`detector-cluster:${name}`);
  return {
    /** Confirms the state of the cluster, on the master. */
    heartbeat: timer('heartbeat'),
    /** Reads everything that is desired, on the master. */
    resync: timer('resync'),
    /** Answers session patches that other masters have left, on the master. */
    patches: timer('patches'),
    /** Reads the list of workers, if it can change. */
    workers: timer('workers'),
    /** Looks whether the master writes the state, on the other processes. */
    watch: timer('watch'),
    /** Looks for another master that has to read the requests of this process. */
    requests: timer('requests'),
  };
}

export type ClusterTimers = Readonly<
  Record<'heartbeat' | 'resync' | 'patches' | 'workers' | 'watch' | 'requests', ListedTimer>
>;

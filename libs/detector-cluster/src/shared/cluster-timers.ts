import type { MasterElection } from '@detector-cluster/master-election';

/** A timer that the `SchedulerRegistry` lists, and that stops when its entry is deleted. */
export type ListedTimer = ReturnType<MasterElection['timer']>;

/**
 * What the module does again and again, as intervals in the `SchedulerRegistry`. They are listed on every process from its start to its
 * end; some are set only while this process is master.
 */
export class ClusterTimers {
  /** Confirms the state of the cluster, on the master. */
  readonly heartbeat: ListedTimer;
  /** Reads everything that is desired, on the master. */
  readonly resync: ListedTimer;
  /** Answers session patches that other masters have left, on the master. */
  readonly patches: ListedTimer;
  /** Reads the list of workers, if it can change. */
  readonly workers: ListedTimer;
  /** Looks whether the master writes the state, on the other processes. */
  readonly watch: ListedTimer;
  /** Looks for another master that has to read the requests of this process. */
  readonly requests: ListedTimer;

  constructor(election: Pick<MasterElection, 'timer'>) {
    const timer = (name: string) => election.timer(`detector-cluster:${name}`);
    this.heartbeat = timer('heartbeat');
    this.resync = timer('resync');
    this.patches = timer('patches');
    this.workers = timer('workers');
    this.watch = timer('watch');
    this.requests = timer('requests');
  }

  /** @throws Error when the application has an interval of the same name. */
  list(): void {
    for (const timer of this.all) timer.list();
  }

  unlist(): void {
    for (const timer of this.all) timer.unlist();
  }

  private get all(): readonly ListedTimer[] {
    return [this.heartbeat, this.resync, this.patches, this.workers, this.watch, this.requests];
  }
}

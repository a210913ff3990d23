import type { JobProgress } from '../schedule/job-progress.js';
import type { MasterElection } from '../election/master-election.js';
import { NotMasterException } from '../shared/not-master.exception.js';
import type { JobAlarm } from '../schedule/timer-alarm.js';
import type { ScheduledJob } from '../schedule/scheduled-job.js';

/** A scheduled job and what this process has done for it. */
export interface MasterJobStatus extends JobProgress {
  readonly name: string;
  /** Name of its election; `default` for that of `forRoot`. */
  readonly election: string;
  /** `Class.method`; the name for a job that was added at run time. */
  readonly method: string;
  /** The list of the `SchedulerRegistry` that has the job. */
  readonly kind: 'cron' | 'interval' | 'timeout';
  /** Its name in the `SchedulerRegistry`: the name, with `<election>:` in front unless it belongs to the election of `forRoot`. */
  readonly schedulerName: string;
  /** This process starts no ticks of the job. */
  readonly paused: boolean;
}

type Identity = Pick<MasterJobStatus, 'name' | 'election' | 'method' | 'kind' | 'schedulerName'>;

interface MasterJobOptions {
  readonly identity: Identity;
  readonly election: MasterElection;
  readonly job: ScheduledJob;
  readonly alarm: JobAlarm;
  /** Unbinds the job from the election. */
  readonly unbind: () => void;
}

/** A job of this application, mounted. */
export class MasterJob {
  private delay: NodeJS.Timeout | undefined;
  private removed = false;

  constructor(private readonly options: MasterJobOptions) {}

  get status(): MasterJobStatus {
    const { identity, job, alarm } = this.options;
    return { ...identity, paused: !alarm.active, ...job.progress };
  }

  isCalled(name: string, election: string): boolean {
    const { identity } = this.options;
    return identity.name === name && identity.election === election;
  }

  /** @param delay Milliseconds. */
  startAfter(delay: number): void {
    if (delay === 0) return this.resume();
    this.pause();
    this.delay = setTimeout(() => this.resume(), delay);
  }

  resume(): void {
    this.endDelay();
    if (!this.removed) this.options.alarm.start();
  }

  pause(): void {
    this.endDelay();
    this.options.alarm.stop();
  }

  async runNow(): Promise<void> {
    const { election, job } = this.options;
    const { lease } = election;
    if (!lease?.isValid()) throw new NotMasterException(election.name, election.masterId);
    await job.runNow(lease);
  }

  remove(): void {
    this.removed = true;
    this.endDelay();
    this.options.unbind();
    this.options.alarm.remove();
  }

  endDelay(): void {
    clearTimeout(this.delay);
  }
}

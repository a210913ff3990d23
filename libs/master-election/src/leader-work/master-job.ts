import type { MasterElection } from '../master-election.js';
import { NotMasterException } from '../master-only/not-master.exception.js';
import type { JobAlarm } from '../schedule/alarm/alarm.js';
import type { ScheduledJob } from '../schedule/scheduled-job.js';
import type { MasterJobStatus } from './master-job-status.js';

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

import { Injectable } from '@nestjs/common';
import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';
import type { JobProgress } from '../schedule/job-progress.js';
import type { MasterJobStatus } from './master-job-status.js';

interface Entry {
  readonly name: string;
  readonly election: string;
  readonly method: string;
  readonly job: { readonly progress: JobProgress };
}

/** The scheduled jobs of this application, `@MasterCron` and `@MasterInterval`; complete after `onModuleInit`. */
@Injectable()
export class MasterJobRegistry {
  private readonly entries: Entry[] = [];

  /** All jobs, with what this process has done for them so far. */
  getJobs(): MasterJobStatus[] {
    return this.entries.map(statusOf);
  }

  /** The job of this name; `undefined` when there is none. */
  getJob(name: string, election: string = DEFAULT_ELECTION_NAME): MasterJobStatus | undefined {
    return this.getJobs().find((job) => job.name === name && job.election === election);
  }

  /** @internal */
  add(entry: Entry): void {
    this.entries.push(entry);
  }
}

function statusOf({ name, election, method, job }: Entry): MasterJobStatus {
  return { name, election, method, ...job.progress };
}

import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { Lease } from '@detector-cluster/election';
import type {
  FoundWork,
  JobWork,
  MasterCronOptions,
  MasterJobOptions,
  MasterTimeoutOptions,
} from './leader-work.js';
import type { MasterElection } from '../election/master-election.js';
import { DEFAULT_ELECTION_NAME } from '../shared/resolve-options.js';
import { type JobAlarm, TimerAlarm } from '../schedule/timer-alarm.js';
import { CronAlarm } from '../schedule/cron-alarm.js';
import type { MasterTick } from '../schedule/job-progress.js';
import { ScheduledJob } from '../schedule/scheduled-job.js';
import { findElection, noElection } from '../election/get-master-election-token.js';
import { InvalidLeaderWorkError, UnknownJobError } from './leader-work.errors.js';
import { onEachTerm } from './listen.js';
import { MasterJob, type MasterJobStatus } from './master-job.js';
import { type ResolvedJob, resolveJob } from './resolve-job.js';
import { WorkFailures } from './work-failures.js';

/** What a job calls. */
export type JobFunction = (lease: Lease, tick: MasterTick) => unknown;

interface Preparation extends Omit<FoundWork, 'metadata'> {
  readonly work: JobWork;
  /** Labels of the jobs that are prepared in the same step, by name in the `SchedulerRegistry`. */
  readonly names: Map<string, string>;
  readonly onProblem: (problem: string) => void;
}

type Prepared = Pick<Preparation, 'work' | 'label' | 'invoke'> & {
  readonly resolved: ResolvedJob;
  readonly schedulerName: string;
};

/**
 * The scheduled jobs of this application: `@MasterCron`, `@MasterInterval`, `@MasterTimeout` and those added at run time. Decorated
 * jobs are listed from `onModuleInit` on. All jobs are in the `SchedulerRegistry` of `@nestjs/schedule` too. Pausing, resuming, adding
 * and removing a job affects this process only, not the cluster.
 */
@Injectable()
export class MasterJobRegistry implements OnModuleDestroy {
  private readonly logger = new Logger('LeaderWork');
  private readonly jobs = new Set<MasterJob>();

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly scheduler: SchedulerRegistry,
    private readonly failures: WorkFailures,
  ) {}

  /** All jobs, with what this process has done for them so far. */
  getJobs(): MasterJobStatus[] {
    return [...this.jobs].map(({ status }) => status);
  }

  /** The job of this name; `undefined` when there is none. */
  getJob(name: string, election: string = DEFAULT_ELECTION_NAME): MasterJobStatus | undefined {
    return this.find(name, election)?.status;
  }

  /**
   * Runs a job once, outside of its schedule: no tick is recorded or skipped for it. Resolves when the run has ended.
   * @throws NotMasterException unless this process may act as master, UnknownJobError, JobRunningError, or what the run throws
   */
  async runNow(name: string, election: string = DEFAULT_ELECTION_NAME): Promise<void> {
    await this.get(name, election).runNow();
  }

  /**
   * Starts no more ticks of a job in this process; current runs continue. Ticks that are due until it is resumed are skipped.
   * @throws UnknownJobError
   */
  pause(name: string, election: string = DEFAULT_ELECTION_NAME): void {
    this.get(name, election).pause();
  }

  /**
   * Starts ticks again, also of a job that was `disabled`, or whose entry in the `SchedulerRegistry` was stopped or deleted.
   * @throws UnknownJobError
   */
  resume(name: string, election: string = DEFAULT_ELECTION_NAME): void {
    this.get(name, election).resume();
  }

  /**
   * Adds a job as `@MasterCron` does. Add it in every process that can become master.
   * @throws InvalidLeaderWorkError
   */
  addCron(
    name: string,
    expression: string,
    run: JobFunction,
    options: Omit<MasterCronOptions, 'name'> = {},
  ): void {
    const { election } = options;
    this.add(
      { kind: 'cron', decorator: 'addCron', election, expression, options: { ...options, name } },
      run,
    );
  }

  /** Adds a job as `@MasterInterval` does, see {@link addCron}. */
  addInterval(
    name: string,
    period: number,
    run: JobFunction,
    options: Omit<MasterJobOptions, 'name'> = {},
  ): void {
    this.addTimer('interval', 'addInterval', period, { ...options, name }, run);
  }

  /** Adds a job as `@MasterTimeout` does, see {@link addCron}. If this process is master now, the delay starts now. */
  addTimeout(
    name: string,
    delay: number,
    run: JobFunction,
    options: Omit<MasterTimeoutOptions, 'name'> = {},
  ): void {
    this.addTimer('timeout', 'addTimeout', delay, { ...options, name }, run);
  }

  /**
   * Removes a job from this process; current runs continue.
   * @throws UnknownJobError
   */
  remove(name: string, election: string = DEFAULT_ELECTION_NAME): void {
    const job = this.get(name, election);
    job.remove();
    this.jobs.delete(job);
  }

  onModuleDestroy(): void {
    for (const job of this.jobs) job.endDelay();
  }

  /** @internal Checks a job. Returns a function that mounts it; `undefined` after `onProblem` was called. */
  prepare({
    work,
    label,
    invoke,
    names,
    onProblem,
  }: Preparation): ((election: MasterElection) => void) | undefined {
    const resolved = resolveJob(work, label, onProblem);
    if (!resolved) return undefined;
    const { name } = resolved;
    const election = work.election ?? DEFAULT_ELECTION_NAME;
    const schedulerName = election === DEFAULT_ELECTION_NAME ? name : `${election}:${name}`;
    const other = names.get(schedulerName) ?? this.find(name, election)?.status.method;
    if (other !== undefined) {
      onProblem(`${other} is a job of the name '${name}' already; give one of them another name`);
      return undefined;
    }
    if (this.scheduler.doesExist(work.kind, schedulerName)) {
      onProblem(
        `the SchedulerRegistry has an entry '${schedulerName}' already; give one of them another name`,
      );
      return undefined;
    }
    names.set(schedulerName, label);
    return (of) => this.mount({ work, resolved, label, invoke, schedulerName, election: of });
  }

  private addTimer(
    kind: 'interval' | 'timeout',
    decorator: string,
    duration: number,
    options: MasterJobOptions,
    run: JobFunction,
  ): void {
    this.add({ kind, decorator, election: options.election, duration, options }, run);
  }

  private add(work: JobWork, run: JobFunction): void {
    const name = work.options.name!;
    const problems: string[] = [];
    const onProblem = (problem: string) => problems.push(`${work.decorator}('${name}'): ${problem}`);
    const election = findElection(this.moduleRef, work.election);
    if (!election) onProblem(noElection(work.election));
    const invoke = run as (...args: unknown[]) => unknown;
    const mount = this.prepare({ work, label: name, invoke, names: new Map(), onProblem });
    if (!election || !mount) throw new InvalidLeaderWorkError(problems);
    mount(election);
  }

  private mount({
    work,
    resolved,
    label,
    invoke,
    schedulerName,
    election,
  }: Prepared & { readonly election: MasterElection }): void {
    const { name, disabled, initialDelay } = resolved;
    const failed = (error: unknown) => this.failures.failed(election, label, error);
    const alarm = this.alarmOf(work, schedulerName, () => void mounted.runNow().catch(() => undefined));
    const job = new ScheduledJob({
      ...resolved,
      alarm,
      ticks: () => election.ticks,
      run: invoke,
      onFailed: failed,
      onUnreachable: (error) => election.report(error as Error),
      onClockDiffers: (ahead) =>
        this.logger.warn(
          `${label}: the clock of this process is ${Math.abs(ahead) / 1_000} s ${ahead > 0 ? 'ahead of' : 'behind'} ` +
            'the clock of Redis, by which the schedule goes; set it',
        ),
      onSkipped: (tick, reason) =>
        this.logger.debug(`${label}: tick ${new Date(tick).toISOString()} is skipped (${reason})`),
    });
    const begin = (lease: Lease) => void job.work(lease, removal.signal).catch(failed);
    const removal = new AbortController();
    const unlisten = onEachTerm(election, begin);
    const mounted = new MasterJob({
      identity: { name, election: election.name, method: label, kind: work.kind, schedulerName },
      election,
      job,
      alarm,
      unbind: () => {
        unlisten();
        removal.abort();
      },
    });
    this.jobs.add(mounted);
    if (disabled) mounted.pause();
    else mounted.startAfter(initialDelay);
  }

  private alarmOf(work: JobWork, key: string, onFired: () => void): JobAlarm {
    const registry = this.scheduler;
    if (work.kind !== 'cron') return new TimerAlarm({ registry, kind: work.kind, key });
    const { expression, options } = work;
    const { timeZone = 'UTC', utcOffset, unrefTimeout = false } = options;
    return new CronAlarm({ registry, key, expression, timeZone, utcOffset, unrefTimeout, onFired });
  }

  private find(name: string, election: string): MasterJob | undefined {
    return [...this.jobs].find((job) => job.isCalled(name, election));
  }

  private get(name: string, election: string): MasterJob {
    const job = this.find(name, election);
    if (!job) throw new UnknownJobError(name, election);
    return job;
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DEFAULT_ELECTION_NAME } from '../named/default-election-name.js';
import type { MasterElection } from '../master-election.js';
import { ScheduledJob } from '../schedule/scheduled-job.js';
import { isInterruption } from '../util/is-interruption.js';
import { FailureLog } from './failure-log.js';
import { findElection, noElection } from './find-election.js';
import type { FoundWork } from './found-work.js';
import { InvalidLeaderWorkError } from './invalid-leader-work.error.js';
import type { BoundEvent, CronWork, EventWork, IntervalWork } from './leader-work.js';
import { LeaderWorkError } from './leader-work.error.js';
import { MasterJobRegistry } from './master-job.registry.js';
import { resolveJob } from './resolve-job.js';

type OnProblem = (problem: string) => void;
type Mount = (election: MasterElection) => void;

/** Binds decorated methods to their elections. What they throw is reported and never reaches the election. */
@Injectable()
export class LeaderWorkOrchestrator {
  private readonly logger = new Logger('LeaderWork');
  private readonly failures = new FailureLog(this.logger);

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly registry: MasterJobRegistry,
  ) {}

  /** @throws InvalidLeaderWorkError with all problems at once. */
  mount(found: readonly FoundWork[]): void {
    const problems: string[] = [];
    for (const one of found) {
      const { work, label } = one;
      const onProblem: OnProblem = (problem) => problems.push(`${work.decorator} on ${label}: ${problem}`);
      const election = findElection(this.moduleRef, work.election);
      if (!election) onProblem(noElection(work.election));
      const mount = work.kind === 'event' ? this.handler(work, one) : this.job(work, one, onProblem);
      if (election) mount?.(election);
    }
    if (problems.length > 0) throw new InvalidLeaderWorkError(problems);
  }

  private handler({ event }: EventWork, { invoke, label }: FoundWork): Mount {
    return (election) => {
      const call = async (argument: unknown, signal?: AbortSignal) => {
        try {
          await invoke(argument);
        } catch (error) {
          if (!signal || !isInterruption(error, signal)) this.failed(election, label, error);
        }
      };
      if (event === 'master-acquired')
        onTenure(election, (lease) => lease.waitUntil(call(lease, lease.signal)));
      else listen(election, event, (argument: unknown) => void call(argument));
    };
  }

  private job(
    work: CronWork | IntervalWork,
    { invoke, label }: FoundWork,
    onProblem: OnProblem,
  ): Mount | undefined {
    const resolved = resolveJob(work, label, onProblem);
    if (!resolved) return undefined;
    const { name } = resolved;
    const electionName = work.election ?? DEFAULT_ELECTION_NAME;
    const duplicate = this.registry.getJob(name, electionName);
    if (duplicate) {
      onProblem(`${duplicate.method} is a job of the name '${name}' already; give one of them another name`);
      return undefined;
    }
    return (election) => {
      const job = new ScheduledJob({
        ...resolved,
        ticks: () => election.ticks,
        run: invoke,
        onFailed: (error) => this.failed(election, label, error),
        onUnreachable: (error) => election.report(error as Error),
        onClockDiffers: (ahead) =>
          this.logger.warn(
            `${label}: the clock of this process is ${Math.abs(ahead) / 1_000} s ${ahead > 0 ? 'ahead of' : 'behind'} ` +
              'the clock of Redis, by which the schedule goes; set it',
          ),
        onSkipped: (tick, reason) =>
          this.logger.debug(`${label}: tick ${new Date(tick).toISOString()} is skipped (${reason})`),
      });
      this.registry.add({ name, election: electionName, method: label, job });
      onTenure(
        election,
        (lease) => void job.work(lease).catch((error: unknown) => this.failed(election, label, error)),
      );
    };
  }

  private failed(election: MasterElection, label: string, cause: unknown): void {
    const error = new LeaderWorkError(label, cause);
    this.failures.failed(error);
    // Without a listener the election would log it once more.
    if (election.listenerCount('error') > 0) election.report(error);
  }
}

/** Calls back at the beginning of each tenure, unless it has ended by the time that its event is delivered. */
function onTenure(
  election: MasterElection,
  begin: (lease: NonNullable<MasterElection['lease']>) => void,
): void {
  listen(election, 'master-acquired', ({ term }: { term: number }) => {
    const { lease } = election;
    if (lease?.term === term) begin(lease);
  });
}

/** Listens to an event; however many methods do so, that is no leak. */
function listen<Argument>(
  election: MasterElection,
  event: BoundEvent,
  listener: (argument: Argument) => void,
): void {
  election.setMaxListeners(election.getMaxListeners() + 1);
  election.on(event, listener as (...args: unknown[]) => void);
}

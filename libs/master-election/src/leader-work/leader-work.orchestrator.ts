import { isInterruption } from '@detector-cluster/election/internal';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { MasterElection } from '../election/master-election.js';
import { findElection, noElection } from '../election/get-master-election-token.js';
import type { FoundWork, EventWork } from './leader-work.js';
import { InvalidLeaderWorkError } from './leader-work.errors.js';
import { listen, onEachTerm } from './listen.js';
import { MasterJobRegistry } from './master-job.registry.js';
import { WorkFailures } from './work-failures.js';

type Mount = () => void;

/** Binds decorated methods to their elections. Reports the errors that they throw; none reaches the election. */
@Injectable()
export class LeaderWorkOrchestrator {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly jobs: MasterJobRegistry,
    private readonly failures: WorkFailures,
  ) {}

  /** @throws InvalidLeaderWorkError with all problems at once; nothing is bound then. */
  mount(found: readonly FoundWork[]): void {
    const problems: string[] = [];
    const mounts: Mount[] = [];
    const names = new Map<string, string>();
    for (const one of found) {
      const { metadata: work, label, invoke } = one;
      const onProblem = (problem: string) => problems.push(`${work.decorator} on ${label}: ${problem}`);
      const election = findElection(this.moduleRef, work.election);
      if (!election) onProblem(noElection(work.election));
      if (work.kind === 'event') {
        if (election) mounts.push(() => this.bind(election, work, one));
        continue;
      }
      const job = this.jobs.prepare({ work, label, invoke, names, onProblem });
      if (election && job) mounts.push(() => job(election));
    }
    if (problems.length > 0) throw new InvalidLeaderWorkError(problems);
    for (const mount of mounts) mount();
  }

  private bind(election: MasterElection, { event }: EventWork, { invoke, label }: FoundWork): void {
    const call = async (argument: unknown, signal?: AbortSignal) => {
      try {
        await invoke(argument);
      } catch (error) {
        if (!signal || !isInterruption(error, signal)) this.failures.failed(election, label, error);
      }
    };
    if (event === 'master-acquired')
      onEachTerm(election, (lease) => lease.waitUntil(call(lease, lease.signal)));
    else listen(election, event, (argument: unknown) => void call(argument));
  }
}

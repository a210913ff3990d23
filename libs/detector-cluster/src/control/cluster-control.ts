import type { Redis } from 'ioredis';
import { InvalidInputError, parseSubscription } from '../model/subscription-identifier.js';
import type { WorkerList } from '../options/worker-list.js';
import type { SubscriptionExplanation } from '../planner/contract/explanation.js';
import { patientCall } from '../redis/patient-call.js';
import type { WorkerDirective } from './worker-directive.js';
import type { DirectiveStore } from './directives/directive-store.js';
import { findWorker } from './find-worker.js';
import type { PlanReport } from './plan-report.js';
import type { MasterRequests } from './requests/master-requests.js';
import { UnknownWorkerError } from './unknown-worker.error.js';
import { SubscriptionNotDesiredError } from './subscription-not-desired.error.js';

/** How long a call waits for the master to take in what is stored already. Milliseconds. */
const HINT_PATIENCE = 1_000;

/** Which plan is wanted. */
export interface PlanOptions {
  /** True is the only value: a plan is looked at here, and carried out by the master. */
  readonly dryRun: true;
  /** As if levelling had been asked for, which `rebalanceWorkers` does. Default false. */
  readonly rebalance?: boolean;
}

export interface ClusterControlDependencies {
  readonly requests: Pick<MasterRequests, 'call'>;
  readonly directives: DirectiveStore;
  readonly redis: Redis;
  readonly workers: WorkerList;
}

/** What operators ask of the cluster, on any process: questions go to the master, wishes into Redis and then to it. */
export class ClusterControl {
  constructor(private readonly dependencies: ClusterControlDependencies) {}

  async plan(options: PlanOptions): Promise<PlanReport> {
    const { dryRun, rebalance = false } = (options ?? {}) as Partial<Record<keyof PlanOptions, unknown>>;
    if (dryRun !== true)
      throw new InvalidInputError(
        'dryRun',
        'must be true: plan() shows a plan and carries none out; rebalanceWorkers() does',
      );
    if (typeof rebalance !== 'boolean') throw new InvalidInputError('rebalance', 'must be true or false');
    return this.dependencies.requests.call('preview', { rebalance }, { call: 'plan' });
  }

  async explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation> {
    parseSubscription(subscriptionIdentifier);
    const { requests } = this.dependencies;
    const explanation = await requests.call('explain', { subscriptionIdentifier }, { call: 'explain' });
    if (explanation === null) throw new SubscriptionNotDesiredError(subscriptionIdentifier);
    return explanation;
  }

  rebalance(): Promise<true> {
    return this.dependencies.requests.call('rebalance', {}, { call: 'rebalanceWorkers' });
  }

  async drain(url: string): Promise<true> {
    await this.put(url, 'draining');
    return this.tell('drainWorker');
  }

  async cordon(url: string): Promise<true> {
    await this.put(url, 'cordoned');
    return this.tell('cordonWorker');
  }

  async uncordon(url: string): Promise<true> {
    const { directives, redis } = this.dependencies;
    const id = await this.workerId(url);
    await patientCall(redis, () => directives.remove(id));
    return this.tell('uncordonWorker');
  }

  private async put(url: string, standing: WorkerDirective['standing']): Promise<void> {
    const { directives, redis } = this.dependencies;
    const id = await this.workerId(url);
    await patientCall(redis, () => directives.put(id, standing));
  }

  /** A worker that is not known here may have been added a moment ago. */
  private async workerId(url: string): Promise<string> {
    const { workers } = this.dependencies;
    try {
      return findWorker(workers.current, url).id;
    } catch (error) {
      if (!workers.changes || !(error instanceof UnknownWorkerError)) throw error;
      await workers.refresh();
      return findWorker(workers.current, url).id;
    }
  }

  /** A hint: the wish is stored, and a master that does not hear of it now reads it later. */
  private async tell(call: string): Promise<true> {
    const { requests } = this.dependencies;
    await requests
      .call('directivesChanged', {}, { call, patience: HINT_PATIENCE, limit: HINT_PATIENCE })
      .catch(() => undefined);
    return true;
  }
}

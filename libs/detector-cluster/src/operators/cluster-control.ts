import type { MasterElection } from '@detector-cluster/master-election';
import type { Redis } from 'ioredis';
import type { OperatorAction } from '../shared/cluster-event.js';
import {
  assertIdentifier,
  type DrainForecast,
  InvalidInputError,
  parseSubscription,
} from '@detector-cluster/placement/internal';
import type { WorkerDefinition } from '../workers/worker-definition.js';
import type { WorkerList } from '../workers/worker-list.js';
import type { SubscriptionExplanation } from '@detector-cluster/placement';
import { workerIdOf } from '../shared/redact-url.js';
import { retryWhileUnavailable } from '../shared/retry-while-unavailable.js';
import {
  MAX_CHANGED_SUBSCRIPTIONS,
  SubscriptionNotDesiredError,
  type ChangePreview,
  type DesiredChange,
  type PlanReport,
} from './plan-report.js';
import type { DirectiveStore, WorkerStanding, WorkerStandingResult } from '../workers/directive-store.js';
import { MAX_NAME, MAX_TARGET } from './master-methods.js';
import type { MasterRequests } from './master-requests.js';
import { type Resignation } from './resigner.js';
import { presentTerm } from './present-term.js';

/** How long a call waits for the master to apply a stored directive. Milliseconds. */
const HINT_TIMEOUT = 1_000;

const STANDINGS: readonly WorkerStanding[] = ['open', 'cordoned', 'draining'];

/** How long a change of master may take until the successor announces itself. Milliseconds. */
const CHANGE_TIMEOUT = 10_000;

/** Which master is to resign. */
export interface ResignOptions {
  /** Only the master of this term. Default: the one that this process knows at the moment. */
  readonly term?: number;
}

/** How to rebalance. */
export interface RebalanceOptions {
  /** Who requests it: a name of up to 128 characters, never a key. */
  readonly by?: string;
}

/** Which plan to return. */
export interface PlanOptions {
  /** Only true is allowed: this call only shows a plan, and the master carries plans out. */
  readonly dryRun: true;
  /** Plan as if rebalancing had been requested with `rebalanceWorkers`. Default false. */
  readonly rebalance?: boolean;
}

export interface ClusterControlDependencies {
  readonly requests: Pick<MasterRequests, 'call'>;
  readonly stores: { readonly directives: DirectiveStore };
  readonly redis: Redis;
  readonly workers: WorkerList;
  readonly election: Pick<MasterElection, 'masterId' | 'term' | 'waitForElectionComplete'>;
}

/** Operator requests, on any process: queries go to the master; directives are stored in Redis, then announced to the master. */
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

  async previewDrain(url: string): Promise<DrainForecast> {
    const id = await this.workerId(url);
    return this.dependencies.requests.call('previewDrain', { url: id }, { call: 'previewDrain' });
  }

  async previewChange(change: DesiredChange): Promise<ChangePreview> {
    const { added, removed } = (change ?? {}) as Partial<DesiredChange>;
    for (const [field, list] of [
      ['added', added],
      ['removed', removed],
    ] as const)
      if (!Array.isArray(list) || list.length > MAX_CHANGED_SUBSCRIPTIONS)
        throw new InvalidInputError(field, `must be an array of up to ${MAX_CHANGED_SUBSCRIPTIONS} entries`);
    for (const { subscriptionIdentifier } of added!) parseSubscription(subscriptionIdentifier);
    for (const id of removed!) parseSubscription(id);
    return this.dependencies.requests.call(
      'previewChange',
      { added: added!, removed: removed! },
      { call: 'previewChange' },
    );
  }

  async explain(subscriptionIdentifier: string): Promise<SubscriptionExplanation> {
    parseSubscription(subscriptionIdentifier);
    const { requests } = this.dependencies;
    const explanation = await requests.call('explain', { subscriptionIdentifier }, { call: 'explain' });
    if (explanation === null) throw new SubscriptionNotDesiredError(subscriptionIdentifier);
    return explanation;
  }

  regenerate(): Promise<true> {
    return this.dependencies.requests.call('regenerate', {}, { call: 'regenerate' });
  }

  async resubscribe(cameraIdentifier: string): Promise<number> {
    assertIdentifier('cameraIdentifier', cameraIdentifier);
    return this.dependencies.requests.call(
      'resubscribe',
      { cameraIdentifier },
      { call: 'resubscribeCamera' },
    );
  }

  async resign(options: ResignOptions = {}): Promise<Resignation> {
    const { term } = (options ?? {}) as Partial<Record<keyof ResignOptions, unknown>>;
    if (term !== undefined && !(Number.isSafeInteger(term) && (term as number) > 0))
      throw new InvalidInputError('term', `must be the term of a master, got ${String(term)}`);
    // A repeated request must never address the successor, so the first message already contains the term.
    const { election, requests } = this.dependencies;
    const how = { call: 'resignMaster', timeout: CHANGE_TIMEOUT };
    const params = { term: (term as number | undefined) ?? (await presentTerm(election, how)) };
    return requests.call('resign', params, how);
  }

  async rebalance(options: RebalanceOptions = {}): Promise<true> {
    const { by } = (options ?? {}) as Partial<Record<keyof RebalanceOptions, unknown>>;
    if (by !== undefined && (typeof by !== 'string' || by.length > MAX_NAME))
      throw new InvalidInputError('by', `must be text of up to ${MAX_NAME} characters`);
    const params = by === undefined ? {} : { by };
    return this.dependencies.requests.call('rebalance', params, { call: 'rebalanceWorkers' });
  }

  async setModelVersion(modelId: number, version: string): Promise<boolean> {
    if (!Number.isSafeInteger(modelId))
      throw new InvalidInputError('modelId', `must be the id of a model, got ${String(modelId)}`);
    if (typeof version !== 'string' || version === '')
      throw new InvalidInputError('version', 'must be a version that getModels() lists');
    const { requests } = this.dependencies;
    return requests.call('setModelVersion', { modelId, version }, { call: 'setModelVersion' });
  }

  async record(action: OperatorAction): Promise<true> {
    const { by, target = null, action: name } = (action ?? {}) as Partial<OperatorAction>;
    for (const [field, text, most] of [
      ['by', by, MAX_NAME],
      ['action', name, MAX_NAME],
      ['target', target ?? '', MAX_TARGET],
    ] as const)
      if (typeof text !== 'string' || text.length > most)
        throw new InvalidInputError(field, `must be a string of up to ${most} characters`);
    const params = { by: by!, action: name!, target };
    return this.dependencies.requests.call('record', params, {
      call: 'recordAction',
      timeout: CHANGE_TIMEOUT,
    });
  }

  /** @param call the method of the application's API, for messages */
  async setStanding(url: string, standing: WorkerStanding, call: string): Promise<WorkerStandingResult> {
    if (!STANDINGS.includes(standing))
      throw new InvalidInputError('standing', `must be one of ${STANDINGS.join(', ')}`);
    const { directives } = this.dependencies.stores;
    const { redis } = this.dependencies;
    const id = await this.workerId(url);
    const result = await retryWhileUnavailable(redis, () => directives.set(id, standing));
    await this.notifyMaster(call);
    return result;
  }

  /** The worker may just have been added or removed; if the list cannot be read, the last one stays in effect. */
  private async workerId(url: string): Promise<string> {
    const { workers } = this.dependencies;
    const unread = await workers.refresh().then(
      () => null,
      (error: unknown) => error,
    );
    try {
      return findWorker(workers.current, url).id;
    } catch (error) {
      throw error instanceof UnknownWorkerError ? (unread ?? error) : error;
    }
  }

  /** Only a hint: the directive is stored, and a master that misses the hint reads it later. */
  private async notifyMaster(call: string): Promise<void> {
    const { requests } = this.dependencies;
    await requests
      .call('directivesChanged', {}, { call, timeout: HINT_TIMEOUT, limit: HINT_TIMEOUT })
      .catch(() => undefined);
  }
}

/**
 * Finds the configured worker of a URL with or without credentials: workers are identified by the URL without them.
 * @throws {InvalidInputError} naming `url`; {@link UnknownWorkerError}
 */
export function findWorker(workers: readonly WorkerDefinition[], url: unknown): WorkerDefinition {
  if (typeof url !== 'string' || url === '')
    throw new InvalidInputError('url', 'must be the URL of a configured worker, e.g. ws://worker1:8000');
  const id = workerIdOf(url);
  const worker = workers.find((one) => one.id === id);
  if (worker !== undefined) return worker;
  throw new UnknownWorkerError(
    id,
    workers.map((one) => one.id),
  );
}

/** Enough to spot a typing error, and short enough for a log line. */
const SHOWN = 10;

/** The URL is not that of a configured worker. */
export class UnknownWorkerError extends Error {
  override readonly name = 'UnknownWorkerError';
  readonly code = 'UNKNOWN_WORKER';

  constructor(
    /** The requested URL, without credentials. */
    readonly url: string,
    /** The configured workers, without credentials. */
    configured: readonly string[],
  ) {
    const more = configured.length > SHOWN ? `, and ${configured.length - SHOWN} more` : '';
    super(
      `url: no worker ${url} is configured in this process; ${
        configured.length === 0
          ? 'the option workers is empty'
          : `give one of the option workers: ${configured.slice(0, SHOWN).join(', ')}${more}`
      }`,
    );
  }
}

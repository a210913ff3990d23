import { EventEmitter } from 'node:events';
import type { MasterElection } from '@detector-cluster/master-election';
import type { DetectorClusterEvents } from '../operators/cluster-events.js';
import type { MasterMethod, MasterMethods } from '../operators/master-methods.js';
import type { WorkerStanding, WorkerStandingResult } from '../workers/directive-store.js';
import { DetectionListeners } from '@detector-cluster/delivery';
import {
  type SkippedDisplay,
  parseSubscription,
  type ActualCameraSubscription,
  type DesiredCameraSubscription,
} from '@detector-cluster/placement/internal';
import type { ExplicitSubscriptionStore } from '../sources/explicit-subscription-store.js';
import type {
  ClusterFreshness,
  DetectorClusterState,
  ModelVersions,
  WorkerConnectionState,
} from '../shared/cluster-state.js';
import { NoMasterError } from '../shared/master-errors.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { SessionPatches } from '../operators/session-patches.js';
import { ownState } from '../operators/cluster-view.js';
import type { FakeDeadLetters } from './fake-dead-letters.js';

export interface FakeClusterOptions {
  readonly election: MasterElection;
  /** The same as the option `networks` of the module. */
  readonly networks?: readonly string[];
}

/** Replaces `MasterSlaveWorkerCluster`: the part that `DetectorCluster` uses, in memory. */
export class FakeCluster extends EventEmitter<DetectorClusterEvents> {
  /** `retryWhileUnavailable` asks for nothing else. */
  readonly redis = { status: 'ready' };
  readonly keys = clusterKeys('');
  readonly callbacks = new DetectionListeners();
  readonly interests = { announce: () => this.stored() };
  readonly explicit: FakeExplicitStore;
  readonly sessionIds = new Map<string, number | null>();
  readonly sessions = {
    put: async (displayId: string, sessionId: number | null): Promise<void> => {
      await this.stored();
      this.sessionIds.set(displayId, sessionId);
    },
  };
  deadLetters: FakeDeadLetters | null = null;
  readonly patches = new SessionPatches({ onFailure: () => undefined });
  readonly election: MasterElection;
  readonly networks: NetworkPolicy;
  readonly requests = {
    call: <M extends MasterMethod>(
      method: M,
      params: MasterMethods[M]['params'],
      { call }: { readonly call: string },
    ): Promise<MasterMethods[M]['result']> => this.ask(method, params, call),
  };
  readonly directives = {
    set: async (id: string, standing: WorkerStanding): Promise<WorkerStandingResult> => {
      const worker = this.workerStates.get(id)!;
      this.workerStates.set(id, Object.freeze({ ...worker, standing }));
      const since = standing === 'open' ? null : new Date().toISOString();
      return { standing, since, former: worker.standing, changed: worker.standing !== standing };
    },
  };
  readonly workerStates = new Map<string, WorkerConnectionState>();
  /** What the database wants. */
  readonly desired = new Map<string, DesiredCameraSubscription>();
  skipped: readonly SkippedDisplay[] = [];
  /** Null while every call of Redis succeeds. */
  failure: Error | null = null;
  hasMaster = true;
  readonly asked: string[] = [];

  constructor({ election, networks }: FakeClusterOptions) {
    super();
    this.election = election;
    this.explicit = new FakeExplicitStore(() => this.stored());
    const problems: string[] = [];
    this.networks = NetworkPolicy.of(networks, problems);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  get stores() {
    const { deadLetters, directives, explicit, sessions, view } = this;
    return { deadLetters, directives, explicit, sessions, view };
  }

  get workers() {
    const current = [...this.workerStates.keys()].map((id) => ({ id, url: id }));
    return { current, refresh: () => Promise.resolve() };
  }

  /** What all processes read. */
  readonly view = {
    freshness: async (): Promise<ClusterFreshness> => {
      await this.stored();
      return { asOf: this.hasMaster ? new Date().toISOString() : null, stale: !this.hasMaster };
    },
    subscriptions: async (): Promise<ActualCameraSubscription[]> => {
      await this.stored();
      const wanted = new Map([...this.explicit.stored, ...this.desired]);
      return [...wanted.keys()].sort().map((id) => this.actual(id));
    },
    models: async (): Promise<ModelVersions[]> => {
      await this.stored();
      return [];
    },
    skipped: async (): Promise<readonly SkippedDisplay[]> => this.skipped,
  };

  async getClusterState(): Promise<DetectorClusterState> {
    const { asOf, stale } = await this.view.freshness();
    const workers = [...this.workerStates.values()];
    return { ...ownState(this.election), totalWorkers: workers.length, workers, asOf, stale };
  }

  /** Rejects while Redis fails. */
  stored(): Promise<void> {
    return this.failure === null ? Promise.resolve() : Promise.reject(this.failure);
  }

  private async ask<M extends MasterMethod>(
    method: M,
    params: MasterMethods[M]['params'],
    call: string,
  ): Promise<MasterMethods[M]['result']> {
    await this.stored();
    if (!this.hasMaster) throw new NoMasterError(call, 0);
    this.asked.push(call);
    const answers: { [Method in MasterMethod]: (params: never) => MasterMethods[Method]['result'] } = {
      regenerate: () => true,
      rebalance: () => true,
      directivesChanged: () => true,
      setModelVersion: () => true,
      record: () => true,
      recordOutage: () => true,
      explain: () => null,
      resubscribe: ({ cameraIdentifier }: MasterMethods['resubscribe']['params']) =>
        [...new Set([...this.explicit.stored.keys(), ...this.desired.keys()])].filter((id) =>
          id.endsWith(`;${cameraIdentifier}`),
        ).length,
      resign: ({ term }: MasterMethods['resign']['params']) => ({
        term,
        processId: this.election.getNodeId(),
      }),
      preview: () => EMPTY_PLAN,
      previewDrain: () => ({ cameras: 0, withoutRoom: 0 }),
      previewChange: ({ added, removed }: MasterMethods['previewChange']['params']) => ({
        term: 1,
        frozen: false,
        placements: [...added.map(({ subscriptionIdentifier: id }) => id), ...removed].map((id) => ({
          subscriptionIdentifier: id,
          from: null,
          to: null,
          reasons: null,
        })),
        others: [],
        omitted: 0,
      }),
    };
    return (answers[method] as (params: MasterMethods[M]['params']) => MasterMethods[M]['result'])(params);
  }

  private actual(subscriptionIdentifier: string): ActualCameraSubscription {
    const worker = [...this.workerStates.values()].find(({ online }) => online)?.url ?? '';
    const runs = worker !== '';
    const now = new Date().toISOString();
    return {
      subscriptionIdentifier,
      assignedWorkerUrl: worker,
      modelUrl: '',
      status: runs ? 'active' : 'pending',
      reason: runs ? 'streaming' : 'no-worker',
      since: now,
      assignedAt: runs ? now : '',
      lastSeen: runs ? now : '',
      specHash: '',
      term: 1,
      holder: worker,
    };
  }
}

const EMPTY_PLAN: MasterMethods['preview']['result'] = {
  term: 1,
  actions: [],
  held: [],
  unplaced: [],
  moves: [],
  scores: [],
  balance: { deviation: 0, spread: 0, allocationSpread: 0, rebalancing: false },
  canaries: [],
  frozen: false,
  capacity: {
    wantedWorkers: 0,
    openWorkers: 0,
    unplacedUnits: 0,
    unplacedLoad: 0,
    headroom: 0,
    models: [],
    emptiestWorker: null,
  },
  omitted: { actions: 0, held: 0, unplaced: 0, moves: 0 },
};

/** The requests of `subscribeToCamera`, in memory. */
class FakeExplicitStore implements Pick<ExplicitSubscriptionStore, 'putAll' | 'remove' | 'removeByCamera'> {
  readonly stored = new Map<string, DesiredCameraSubscription>();

  /** @param available rejects while nothing can be stored */
  constructor(private readonly available: () => Promise<void>) {}

  async putAll(subscriptions: readonly DesiredCameraSubscription[]): Promise<void> {
    await this.available();
    for (const one of subscriptions) this.stored.set(one.subscriptionIdentifier, one);
  }

  async remove(subscriptionIdentifier: string): Promise<boolean> {
    await this.available();
    return this.stored.delete(subscriptionIdentifier);
  }

  async removeByCamera(cameraId: string): Promise<string[]> {
    await this.available();
    const ids = [...this.stored.keys()].filter((id) => parseSubscription(id).cameraId === cameraId);
    for (const id of ids) this.stored.delete(id);
    return ids;
  }
}

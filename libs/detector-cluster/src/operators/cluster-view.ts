import { Repeater } from '@detector-cluster/election/internal';
import { readHash } from '@detector-cluster/election/internal/redis';
import type { SlaveNode, MasterElection } from '@detector-cluster/master-election';
import type { Redis } from 'ioredis';
import {
  type SkippedDisplay,
  type ActualCameraSubscription,
  inChunks,
  sortByText,
} from '@detector-cluster/placement/internal';
import type {
  ClusterFreshness,
  ModelVersions,
  RebalanceProgress,
  SlaveState,
  SubscriptionsByStatus,
  WorkerConnectionState,
  DetectorClusterState,
} from '../shared/cluster-state.js';
import type { ClusterKeys } from '../shared/cluster-keys.js';
import { runInSlices } from '../shared/run-in-slices.js';
import { modelVersions, toModelRecord } from './model-record.js';
import { ParsedHash } from './parsed-hash.js';
import { toActual, toModel, toSkipped, toStreams, toWorker, type WorkerRecord } from './state-records.js';
import { freshnessOf, readHeartbeat } from './master-heartbeat.js';
import { readRebalance } from './rebalance-record.js';

/** The master's record of the cluster, readable by any process. */
export class ClusterView {
  private readonly records: ParsedHash<WorkerRecord>;
  private readonly streams: ParsedHash<readonly string[]>;
  /** Callers share reads. Each answer is as fresh as that of a separate read. */
  private readonly workerReads = new Repeater({ run: () => this.readWorkers() });
  private readonly counts = new Repeater({ run: () => this.count() });
  private counted: { readonly revision: string | null; readonly counts: SubscriptionsByStatus } | null = null;

  constructor(
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {
    this.records = new ParsedHash(redis, keys.connections, toWorker);
    this.streams = new ParsedHash(redis, keys.streams, toStreams, keys.streamsRevision);
  }

  /** The records, for a reader that reads them again and again, each by its own {@link ParsedHash.read}. */
  follow() {
    const { redis, keys } = this;
    return {
      /** By URL. */
      workers: new ParsedHash(redis, keys.connections, toWorker),
      /** Partition to slave id. */
      assignments: new ParsedHash(redis, keys.assignments, (owner, partition) =>
        /^\d+$/.test(partition) ? owner : null,
      ),
      subscriptions: new ParsedHash(redis, keys.actual, actualOf, keys.actualRevision),
      /** By display. */
      skipped: new ParsedHash(redis, keys.skipped, toSkipped),
      /** Subscription to its model, as desired. */
      models: new ParsedHash(redis, keys.desired, toModel),
    };
  }

  /** Sorted by URL. */
  async workers(): Promise<WorkerConnectionState[]> {
    return await sortedByUrl(await this.workerReads.next());
  }

  async freshness(): Promise<ClusterFreshness> {
    return freshnessOf(await readHeartbeat(this.redis, this.keys));
  }

  /** Null: none was requested. */
  async rebalance(): Promise<RebalanceProgress | null> {
    return readRebalance(await this.redis.get(this.keys.rebalance));
  }

  /** Sorted by id. */
  async models(): Promise<ModelVersions[]> {
    const fields = await readHash(this.redis, this.keys.models);
    const records = [...fields.values()].map(toModelRecord).filter((record) => record !== null);
    return records.map(modelVersions).sort((a, b) => a.modelId - b.modelId);
  }

  /** Partition to slave id. */
  async assignments(): Promise<Record<string, string>> {
    return this.redis.hgetall(this.keys.assignments);
  }

  /** Sorted by identifier. */
  async subscriptions(): Promise<ActualCameraSubscription[]> {
    const [all, workers] = await Promise.all([this.readActual(), this.records.read()]);
    // A record is written only when something changes. A running stream was last seen in the worker's last report.
    const note = (each: ActualCameraSubscription) => {
      if (each.reason === 'streaming')
        each.lastSeen = workers.get(each.assignedWorkerUrl)?.lastHeartbeat || each.lastSeen;
    };
    await runInSlices(inChunks(all, note));
    return await runInSlices(sortByText(all, ({ subscriptionIdentifier }) => subscriptionIdentifier));
  }

  /** For probes and scrapes: reads one value while the subscriptions have not changed, however many there are. */
  subscriptionsByStatus(): Promise<SubscriptionsByStatus> {
    return this.counts.next();
  }

  /** The worker whose detections count for a subscription; null: none. */
  async holderOf(subscriptionIdentifier: string): Promise<string | null> {
    const text = await this.redis.hget(this.keys.actual, subscriptionIdentifier);
    return (text === null ? null : toActual(text))?.holder || null;
  }

  /** Sorted by display. */
  async skipped(): Promise<SkippedDisplay[]> {
    const fields = await readHash(this.redis, this.keys.skipped);
    const all = [...fields].flatMap(([displayId, text]) => {
      const why = toSkipped(text);
      return why === null ? [] : [{ displayId, ...why }];
    });
    return await runInSlices(sortByText(all, ({ displayId }) => displayId));
  }

  private async readWorkers(): Promise<WorkerConnectionState[]> {
    const [records, streams] = await Promise.all([this.records.read(), this.streams.read()]);
    return [...records].map(([url, record]) =>
      Object.freeze({ ...record, subscriptions: Object.freeze(streams.get(url) ?? []) }),
    );
  }

  private async count(): Promise<SubscriptionsByStatus> {
    // Before the records: if they change between both, the next call counts them again.
    const revision = await this.redis.get(this.keys.actualRevision);
    if (this.counted === null || revision === null || revision !== this.counted.revision) {
      const counts = { active: 0, pending: 0, recovering: 0, failed: 0 };
      await this.forEachActual(({ status }) => void counts[status]++);
      this.counted = { revision, counts };
    }
    return this.counted.counts;
  }

  private async readActual(): Promise<ActualCameraSubscription[]> {
    const all: ActualCameraSubscription[] = [];
    await this.forEachActual((actual) => void all.push(actual));
    return all;
  }

  /** Without fields that another program has written. */
  private async forEachActual(take: (actual: ActualCameraSubscription) => void): Promise<void> {
    const texts = await readHash(this.redis, this.keys.actual);
    const look = ([id, text]: [string, string]) => {
      const actual = actualOf(text, id);
      if (actual !== null) take(actual);
    };
    await runInSlices(inChunks(texts, look));
  }
}

function actualOf(text: string, id: string): ActualCameraSubscription | null {
  const actual = toActual(text);
  return actual?.subscriptionIdentifier === id ? actual : null;
}

const sortedByUrl = (states: readonly WorkerConnectionState[]): Promise<WorkerConnectionState[]> =>
  runInSlices(sortByText(states, ({ url }) => url));

/** Converts the registry's entries to the cluster state. */
function toSlaveStates(
  slaves: readonly SlaveNode[],
  assignments: Readonly<Record<string, string>>,
): SlaveState[] {
  const workload = new Map<string, number>();
  for (const slaveId of Object.values(assignments)) workload.set(slaveId, (workload.get(slaveId) ?? 0) + 1);
  return slaves.map(({ nodeId, lastSeen, metadata }) => ({
    slaveId: nodeId,
    processId: nodeId,
    online: true,
    workload: workload.get(nodeId) ?? 0,
    lastSeen,
    ...(metadata && { capabilities: metadata }),
  }));
}

/** The state that a process knows without any request: no workers and no slaves. */
export function ownState(election: MasterElection): DetectorClusterState {
  const processId = election.getNodeId();
  return {
    processId,
    isMaster: election.getIsMaster(),
    slaveId: processId,
    totalWorkers: 0,
    totalSlaves: 0,
    workers: [],
    slaves: [],
    assignments: {},
    asOf: null,
    stale: true,
  };
}

/**
 * The cluster state that the master last wrote. Rejects while Redis is unavailable.
 * @param own this process's own view of the workers if it is master; otherwise null
 */
export async function readClusterState(
  view: ClusterView,
  election: MasterElection,
  own: readonly WorkerConnectionState[] | null,
): Promise<DetectorClusterState> {
  const [workers, assignments, nodes, freshness] = await Promise.all([
    own === null ? view.workers() : sortedByUrl(own),
    view.assignments(),
    election.getSlaves(),
    own === null ? view.freshness() : { asOf: new Date().toISOString(), stale: false },
  ]);
  const slaves = toSlaveStates(nodes, assignments);
  return {
    ...ownState(election),
    totalWorkers: workers.length,
    totalSlaves: slaves.length,
    workers,
    slaves,
    assignments,
    ...freshness,
  };
}

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
  RebalanceProgress,
  SlaveState,
  WorkerConnectionState,
  DetectorClusterState,
} from '../model/cluster-state.js';
import type { ClusterKeys } from '../store/cluster-keys.js';
import { runInSlices } from '../util/run-in-slices.js';
import { toActual, toSkipped, toStreams, toWorker, type WorkerRecord } from './state-records.js';
import { freshnessOf, readHeartbeat } from './master-heartbeat.js';
import { readRebalance } from './rebalance-record.js';
import { sharedCalls } from '../util/application-calls.js';

/** The master's record of the cluster, readable by any process. */
export class ClusterView {
  private readonly records: ParsedHash<WorkerRecord>;
  private readonly streams: ParsedHash<readonly string[]>;
  private readonly sharedWorkers = sharedCalls(() => this.readWorkers());

  constructor(
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {
    this.records = new ParsedHash(redis, keys.connections, toWorker);
    this.streams = new ParsedHash(redis, keys.streams, toStreams, keys.streamsRevision);
  }

  /** Sorted by URL. */
  async workers(): Promise<WorkerConnectionState[]> {
    return await sortedByUrl(await this.sharedWorkers());
  }

  async freshness(): Promise<ClusterFreshness> {
    return freshnessOf(await readHeartbeat(this.redis, this.keys));
  }

  /** Null: none was requested. */
  async rebalance(): Promise<RebalanceProgress | null> {
    return readRebalance(await this.redis.get(this.keys.rebalance));
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

  /** Without fields that another program has written. */
  private async readActual(): Promise<ActualCameraSubscription[]> {
    const all: ActualCameraSubscription[] = [];
    const texts = await readHash(this.redis, this.keys.actual);
    const take = ([id, text]: [string, string]) => {
      const actual = toActual(text);
      if (actual?.subscriptionIdentifier === id) all.push(actual);
    };
    await runInSlices(inChunks(texts, take));
    return all;
  }
}

/** A hash of JSON values. Parsing a text takes far longer than comparing it with the previous one. */
class ParsedHash<T> {
  private known: ReadonlyMap<string, { readonly text: string; readonly value: T | null }> = new Map();
  private last: { readonly revision: string; readonly values: ReadonlyMap<string, T> } | null = null;

  /** @param revisionKey what it holds changes after each change of the hash; left out: the hash is read each time */
  constructor(
    private readonly redis: Redis,
    private readonly key: string,
    /** Null for a text that is no such record. */
    private readonly parse: (text: string) => T | null,
    private readonly revisionKey?: string,
  ) {}

  /** Leaves out unreadable fields. Unchanged values are the same objects as before. */
  async read(): Promise<ReadonlyMap<string, T>> {
    if (this.revisionKey === undefined) return await this.readHash();
    // Before the hash: if that changes between both, the next call reads it again.
    const revision = await this.redis.get(this.revisionKey);
    if (revision !== null && revision === this.last?.revision) return this.last.values;
    const values = await this.readHash();
    this.last = revision === null ? null : { revision, values };
    return values;
  }

  private async readHash(): Promise<ReadonlyMap<string, T>> {
    const known = new Map<string, { text: string; value: T | null }>();
    const read = new Map<string, T>();
    for (const [field, text] of await readHash(this.redis, this.key)) {
      const before = this.known.get(field);
      const value = before?.text === text ? before.value : this.parse(text);
      known.set(field, { text, value });
      if (value !== null) read.set(field, value);
    }
    this.known = known;
    return read;
  }
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

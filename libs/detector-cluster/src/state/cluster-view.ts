import { readHash } from '@detector-cluster/election/redis';
import type { SlaveNode } from '@detector-cluster/master-election';
import type { Redis } from 'ioredis';
import type { SkippedDisplay } from '../desired/desired-state-source.js';
import type { SlaveState, WorkerConnectionState } from '../model/cluster-state.js';
import type { ActualCameraSubscription } from '../model/subscriptions.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';

/** What the master has written of the cluster, read by any process. */
export class ClusterView {
  constructor(
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {}

  /** Sorted by URL. */
  async workers(): Promise<WorkerConnectionState[]> {
    return byKey(await this.readAll<WorkerConnectionState>(this.keys.connections), ({ url }) => url);
  }

  /** Worker URL to slave id. */
  async assignments(): Promise<Record<string, string>> {
    return this.redis.hgetall(this.keys.assignments);
  }

  /** Sorted by identifier. */
  async subscriptions(): Promise<ActualCameraSubscription[]> {
    const all = await this.readAll<ActualCameraSubscription>(this.keys.actual);
    return byKey(all, ({ subscriptionIdentifier }) => subscriptionIdentifier);
  }

  /** The worker whose detections of a subscription count; null when nobody's do. */
  async holderOf(subscriptionIdentifier: string): Promise<string | null> {
    const text = await this.redis.hget(this.keys.actual, subscriptionIdentifier);
    const [actual] = text === null ? [] : parse<ActualCameraSubscription>(text);
    return actual?.holder || null;
  }

  /** Sorted by display. */
  async skipped(): Promise<SkippedDisplay[]> {
    const fields = await readHash(this.redis, this.keys.skipped);
    const all = [...fields].flatMap(([displayId, text]) =>
      parse<Omit<SkippedDisplay, 'displayId'>>(text).map((why) => ({ displayId, ...why })),
    );
    return byKey(all, ({ displayId }) => displayId);
  }

  private async readAll<T>(key: string): Promise<T[]> {
    return [...(await readHash(this.redis, key)).values()].flatMap((text) => parse<T>(text));
  }
}

/** The registry's entries as the cluster's state shows them. */
export function toSlaveStates(
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

function parse<T>(text: string): T[] {
  try {
    return [JSON.parse(text) as T];
  } catch {
    return [];
  }
}

function byKey<T>(items: T[], key: (item: T) => string): T[] {
  return items.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

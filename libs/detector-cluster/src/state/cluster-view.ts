import { readHash } from '@detector-cluster/election/redis';
import type { SlaveNode } from '@detector-cluster/master-election';
import type { Redis } from 'ioredis';
import type { SkippedDisplay } from '../desired/desired-state-source.js';
import type { ClusterFreshness, SlaveState, WorkerConnectionState } from '../model/cluster-state.js';
import type { ActualCameraSubscription } from '../model/subscriptions.js';
import type { ClusterKeys } from '../redis/cluster-keys.js';
import { unhurried, withPauses } from '../util/breather.js';
import { freshnessOf, readHeartbeat } from './master-heartbeat.js';
import { sharedCalls } from '../util/shared-calls.js';

interface KnownWorker {
  readonly text: string;
  /** One, or none where the text is unreadable. */
  readonly states: readonly WorkerConnectionState[];
}

/** What the master has written of the cluster, read by any process. */
export class ClusterView {
  /** By URL, as last read. With many subscriptions it takes far longer to parse a text than to see that it is the same. */
  private known: ReadonlyMap<string, KnownWorker> = new Map();
  private readonly sharedWorkers = sharedCalls(() => this.readWorkers());

  constructor(
    private readonly redis: Redis,
    private readonly keys: ClusterKeys,
  ) {}

  /** Sorted by URL. The caller may change them. */
  async workers(): Promise<WorkerConnectionState[]> {
    const known = [...(await this.sharedWorkers()).values()];
    const states = known.flatMap((each) => each.states);
    return byKey(
      states.map((state) => ({ ...state, subscriptions: [...state.subscriptions] })),
      ({ url }) => url,
    );
  }

  async freshness(): Promise<ClusterFreshness> {
    return freshnessOf(await readHeartbeat(this.redis, this.keys));
  }

  /** Partition to slave id. */
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

  private async readWorkers(): Promise<ReadonlyMap<string, KnownWorker>> {
    const read = new Map<string, KnownWorker>();
    for (const [url, text] of await readHash(this.redis, this.keys.connections)) {
      const before = this.known.get(url);
      const same = before?.text === text;
      read.set(url, same ? before : { text, states: parse<WorkerConnectionState>(text) });
    }
    return (this.known = read);
  }

  private async readAll<T>(key: string): Promise<T[]> {
    const all: T[] = [];
    const texts = await readHash(this.redis, key);
    await unhurried(withPauses(texts.values(), (text) => void all.push(...parse<T>(text))));
    return all;
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

import { closeRedis } from '@detector-cluster/election/redis';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually } from '../../../../test/support/until.js';
import type { WorkerConnectionState } from '../shared/cluster-state.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { ClusterView } from '../operators/cluster-view.js';
import { ConnectionPublisher } from './connection-publisher.js';

const stateOf = (url: string, subscriptions: readonly string[]): WorkerConnectionState => ({
  url,
  processId: 'p',
  online: true,
  cpuUsage: null,
  memoryUsage: null,
  gpuUsage: null,
  gpuMemoryUsage: null,
  subscriptionCount: subscriptions.length,
  subscriptions,
  lastHeartbeat: '',
  connectedAt: '',
  state: 'Ready',
  problem: null,
  excess: null,
  standing: 'open',
  drainTotal: null,
});

describe('ConnectionPublisher', () => {
  const redis = openPatientRedis(process.env.REDIS_URL!);
  const keys = clusterKeys(randomPrefix());
  const used = [keys.connections, keys.streams, keys.streamsRevision, keys.fence];
  const store = new FencedStore(redis, keys.fence, 1_700_000_000_000);
  const view = new ClusterView(redis, keys);
  let states: WorkerConnectionState[];
  let publisher: ConnectionPublisher;

  beforeEach(async () => {
    await redis.del(...used);
    await store.raise();
    states = [];
    publisher = new ConnectionPublisher(store, keys, () => states);
    await publisher.load(redis);
  });
  afterEach(() => {
    publisher.stop();
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await redis.del(...used);
    closeRedis(redis);
  });

  const shown = async () =>
    (await view.workers()).map(({ url, subscriptions }) => [url, ...subscriptions].join(' '));
  const publishes = (expected: string[]) => {
    publisher.stateChanged();
    return eventually(
      expected.join(),
      5_000,
      async () => JSON.stringify(await shown()) === JSON.stringify(expected),
    );
  };

  it('shows readers every change of a list', async () => {
    states = [stateOf('ws://a', ['d;1']), stateOf('ws://b', [])];
    await publishes(['ws://a d;1', 'ws://b']);
    states = [stateOf('ws://a', ['d;1', 'd;2']), states[1]!];
    await publishes(['ws://a d;1 d;2', 'ws://b']);
    states = [states[0]!];
    await publishes(['ws://a d;1 d;2']);
    states = [stateOf('ws://a', [])];
    await publishes(['ws://a']);
  });

  it('keeps the revision of unchanged lists, and is read without one when Redis has lost it', async () => {
    const list = ['d;1'];
    states = [stateOf('ws://a', list)];
    await publishes(['ws://a d;1']);
    const revision = await redis.get(keys.streamsRevision);
    states = [{ ...stateOf('ws://a', list), cpuUsage: 50 }];
    publisher.stateChanged();
    await eventually('the new figure', 5_000, async () => (await view.workers())[0]?.cpuUsage === 50);
    expect(await redis.get(keys.streamsRevision)).toBe(revision);
    await redis.del(keys.streamsRevision);
    expect(await shown()).toEqual(['ws://a d;1']);
    states = [stateOf('ws://a', ['d;2'])];
    await publishes(['ws://a d;2']);
    expect(await redis.exists(keys.streamsRevision)).toBe(1);
  });

  it('does not announce lists that it could not write', async () => {
    states = [stateOf('ws://a', ['d;1'])];
    await publishes(['ws://a d;1']);
    const writing = vi.spyOn(store, 'write').mockRejectedValueOnce(new Error('Redis is unavailable'));
    states = [stateOf('ws://a', ['d;2'])];
    publisher.stateChanged();
    await eventually('the attempt', 5_000, async () => writing.mock.calls.length > 0);
    await publishes(['ws://a d;2']);
  });

  it('leaves no comparison under way that could overlap with the next one', async () => {
    const asking = vi.spyOn(redis, 'hscan').mockRejectedValueOnce(new Error('Redis is unavailable'));
    await expect(publisher.compare()).rejects.toThrow('unavailable');
    expect(asking).toHaveBeenCalledOnce();
  });
});

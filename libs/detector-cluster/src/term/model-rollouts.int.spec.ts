import { FencedStore } from '@detector-cluster/election/fence';
import { closeRedis } from '@detector-cluster/election/redis';
import type { DesiredEntry, TrackedSubscription } from '@detector-cluster/placement/internal';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { randomPrefix } from '../../../../test/support/random-prefix.js';
import { until } from '../../../../test/support/until.js';
import type { CanaryOptions } from '../options/canary-options.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import type { ModelReference } from '../sources/model-url-provider.js';
import { ModelRollouts } from './model-rollouts.js';

const model = { modelId: 7, modelName: 'cars' };
const CAMERAS = ['c1', 'c2', 'c3', 'c4'];

const specOf = (camera: string, modelVersion?: string) => ({
  subscriptionIdentifier: `d;${camera}`,
  rtspUrl: 'rtsp://h/1',
  ...model,
  createdAt: '',
  ...(modelVersion !== undefined && { modelVersion }),
});

const candidates = (versions: string, version = 'v2') =>
  versions.split(',').filter((one) => one === version).length;

describe('ModelRollouts', () => {
  const redis = openPatientRedis(process.env.REDIS_URL!);
  const keys = clusterKeys(`${randomPrefix()}:`);
  let offered: string | undefined;
  let hasFormer: boolean;
  let now: number;
  let entries: Map<string, DesiredEntry>;
  let tracked: Map<string, TrackedSubscription>;
  let changed: object[];
  let ended: AbortController;
  let steps: string[];
  let isUnreadable: boolean;

  beforeEach(async () => {
    ended = new AbortController();
    await redis.del(keys.models);
    [offered, hasFormer, now, changed, steps] = ['v1', true, 1_000, [], []];
    [entries, tracked, isUnreadable] = [new Map(), new Map(), false];
  });
  afterEach(() => ended.abort());
  afterAll(async () => {
    await redis.del(keys.models, keys.fence);
    closeRedis(redis);
  });

  const rolloutsOf = (canaryOptions: CanaryOptions | null = { share: 50, confirmAfter: 1_000 }) =>
    new ModelRollouts({
      store: new FencedStore(redis, keys.fence, 1_700_000_000_000),
      keys,
      files: {
        look: async () => undefined,
        versionOf: () => offered,
        fileOf: async ({ version }: ModelReference) => {
          const given = version !== undefined && hasFormer ? version : offered;
          return { url: `http://m/${given}`, ...(given !== undefined && { version: given }) };
        },
      },
      canary: canaryOptions,
      desired: () => entries,
      tracked: () => {
        if (isUnreadable) throw new Error('unreadable');
        return tracked;
      },
      journal: { add: (event) => steps.push((event as { step: string }).step) },
      logger: { log: () => undefined, warn: () => undefined },
      wallNow: () => now,
      onChange: (rows) => changed.push(rows),
      signal: ended.signal,
    });

  /** What a read of the desired state does. */
  async function read(rollouts: ModelRollouts): Promise<string> {
    await rollouts.look([model], true);
    for (const cameraId of CAMERAS) {
      const spec = specOf(cameraId, rollouts.versionOf(specOf(cameraId)));
      entries.set(spec.subscriptionIdentifier, { spec, hash: `${spec.modelVersion}`, cameraId });
    }
    return [...entries.values()].map(({ spec }) => spec.modelVersion).join();
  }
  /** Reads, and has each worker follow at once, until so many cameras have the version. Resolves with the versions. */
  async function rolled(rollouts: ModelRollouts, version: string, cameras: number): Promise<string> {
    let versions = '';
    await until(async () => {
      versions = await read(rollouts);
      showAll();
      rollouts.passed();
      return candidates(versions, version) === cameras;
    });
    return versions;
  }
  async function canary(rollouts: ModelRollouts): Promise<string> {
    await read(rollouts);
    showAll();
    offered = 'v2';
    const versions = await rolled(rollouts, 'v2', 2);
    await noted(rollouts, ['canary', 'done']);
    return versions;
  }
  async function noted(rollouts: ModelRollouts, expected: readonly string[]): Promise<void> {
    await until(() => {
      rollouts.passed();
      return steps.length === expected.length;
    });
    expect(steps).toEqual(expected);
  }
  const show = (id: string, reason: string, status: TrackedSubscription['status']) =>
    tracked.set(id, { reason, status, specHash: entries.get(id)!.hash } as TrackedSubscription);
  const showAll = () => entries.forEach((_, id) => show(id, 'streaming', 'active'));
  const canaryOf = () => [...entries].find(([, { spec }]) => spec.modelVersion === 'v2')!;

  it('are continued by a successor, whose provider does not answer', async () => {
    const versions = await canary(rolloutsOf());
    expect(candidates(versions)).toBe(2);
    offered = undefined;
    const successor = rolloutsOf();
    await successor.load(redis);
    expect(await read(successor)).toBe(versions);
    expect(successor.list()).toMatchObject([{ ...model, current: 'v1', candidate: 'v2', share: 50 }]);
  });

  it('skip a record of another program', async () => {
    await redis.hset(keys.models, '7 cars', 'garbage{');
    const rollouts = rolloutsOf();
    await rollouts.load(redis);
    expect(await read(rollouts)).toBe('v1,v1,v1,v1');
  });

  it('give each camera the file of its version, and none for a version that it is not to run', async () => {
    const rollouts = rolloutsOf();
    await canary(rollouts);
    const urls = [...entries.values()].map(({ spec }) => rollouts.wantedFile(spec).then((file) => file!.url));
    expect((await Promise.all(urls)).toSorted()).toEqual([
      ...Array(2).fill('http://m/v1'),
      ...Array(2).fill('http://m/v2'),
    ]);
    changed = [];
    expect(await rollouts.wantedFile(specOf('c1', 'v0'))).toBeNull();
    expect(changed).toEqual([{ models: [7] }]);
    hasFormer = false;
    const kept = [...entries.values()].find(({ spec }) => spec.modelVersion === 'v1')!;
    await expect(rollouts.wantedFile(kept.spec)).rejects.toThrow(
      'the provider gives version v2 of the file, and not v1',
    );
  });

  it('give the URL of a provider without versions to any subscription', async () => {
    offered = undefined;
    const rollouts = rolloutsOf();
    await read(rollouts);
    expect(
      await Promise.all([rollouts.wantedFile(specOf('c1')), rollouts.wantedFile(specOf('c1', 'v1'))]),
    ).toEqual([{ url: 'http://m/undefined' }, { url: 'http://m/undefined' }]);
    expect(changed).toEqual([]);
  });

  it('let one camera after another follow, and are continued by a successor', async () => {
    const rollouts = rolloutsOf(null);
    await read(rollouts);
    showAll();
    offered = 'v2';
    await until(async () => candidates(await read(rollouts)) === 1);
    // The camera does not run yet, so no other one follows.
    changed = [];
    const successor = rolloutsOf(null);
    await successor.load(redis);
    for (const master of [rollouts, successor]) {
      for (let looks = 0; looks < 3; looks++) expect(candidates(await read(master))).toBe(1);
      expect(changed).toEqual([]);
    }
    await rolled(successor, 'v2', 4);
    await noted(successor, ['everywhere', 'done']);
    expect(successor.explain([...entries.values()][0]!)).toMatchObject({ version: 'v2', next: null });
  });

  it('let a camera go ahead that needs a file, if the store has the new one only', async () => {
    const rollouts = rolloutsOf(null);
    await read(rollouts);
    showAll();
    [offered, hasFormer] = ['v2', false];
    await read(rollouts);
    const last = specOf('c4', 'v1');
    expect(rollouts.explain([...entries.values()][3]!)).toMatchObject({ version: 'v1', next: 'v2' });
    await expect(rollouts.wantedFile(last)).rejects.toThrow(
      'the provider gives version v2 of the file, and not v1',
    );
    show('d;c4', 'worker-offline', 'recovering');
    changed = [];
    expect(await rollouts.wantedFile(last)).toBeNull();
    expect(changed).toContainEqual({ displays: ['d'] });
    expect(rollouts.versionOf(specOf('c4'))).toBe('v2');
  });

  it('are confirmed when the canary has run without a failure for the time, however the camera fares', async () => {
    const rollouts = rolloutsOf();
    await canary(rollouts);
    await rollouts.watch();
    showAll();
    const [failing] = canaryOf();
    const [offline] = [...entries].find(([id, { spec }]) => spec.modelVersion === 'v2' && id !== failing)!;
    show(offline, 'camera-offline', 'recovering');
    await rollouts.watch();
    now += 999;
    await rollouts.watch();
    expect(rollouts.list()).toMatchObject([{ candidate: 'v2', quietSince: '1970-01-01T00:00:01.000Z' }]);
    show(failing, 'model-failed', 'failed');
    await rollouts.watch();
    expect(rollouts.list()).toMatchObject([{ quietSince: null }]);
    show(failing, 'streaming', 'active');
    await rollouts.watch();
    // A failure between two looks: another worker runs the camera by now.
    rollouts.modelFailed([entries.get(failing)!.cameraId]);
    now += 1_000;
    isUnreadable = true;
    await expect(rollouts.watch()).rejects.toThrow('unreadable');
    isUnreadable = false;
    await rollouts.watch();
    expect(rollouts.list()).toMatchObject([{ candidate: 'v2', quietSince: null }]);
    await rollouts.watch();
    now += 1_000;
    await rollouts.watch();
    expect(rollouts.list()).toMatchObject([{ current: 'v2', former: 'v1', candidate: null }]);
    await rolled(rollouts, 'v2', 4);
    await noted(rollouts, ['canary', 'done', 'everywhere', 'done']);
  });

  it('are not confirmed before all cameras of the canary have the version', async () => {
    const rollouts = rolloutsOf();
    await read(rollouts);
    showAll();
    offered = 'v2';
    await until(async () => candidates(await read(rollouts)) === 1);
    const look = async () => {
      showAll();
      await rollouts.watch();
      return rollouts.list()[0]!.quietSince;
    };
    expect(await look()).toBeNull();
    await rolled(rollouts, 'v2', 2);
    expect(await look()).not.toBeNull();
  });

  it('are written again after Redis has lost them', async () => {
    const rollouts = rolloutsOf();
    await canary(rollouts);
    const before = await redis.hgetall(keys.models);
    await redis.del(keys.models);
    await rollouts.compare();
    expect(await redis.hgetall(keys.models)).toEqual(before);
  });

  it('are forgotten when no subscription uses the model', async () => {
    const rollouts = rolloutsOf();
    await read(rollouts);
    await rollouts.watch();
    expect(await redis.hlen(keys.models)).toBe(1);
    entries.clear();
    await rollouts.watch();
    expect([await redis.hlen(keys.models), rollouts.list()]).toEqual([0, []]);
    expect(rollouts.versionOf(specOf('c1'))).toBe('v1');
  });
});

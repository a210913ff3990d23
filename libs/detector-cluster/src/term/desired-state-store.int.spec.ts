import { randomUUID } from 'node:crypto';
import { closeRedis } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesiredState } from '../sources/desired-state-source.js';
import type { ExplicitSubscriptionStore } from '../sources/explicit-subscription-store.js';
import { readOf, requestStore } from '../sources/requests.fixture.js';
import { SecretBox } from '../sources/secret-box.js';
import { FencedStore } from '@detector-cluster/election/fence';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { urlForms } from '../shared/makers.fixture.js';
import { NetworkPolicy } from '../shared/network-policy.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { DesiredStateStore } from './desired-state-store.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';

const redis: Redis = openPatientRedis(process.env.REDIS_URL!);
afterAll(() => closeRedis(redis));

const box = new SecretBox(['a-secret-of-at-least-32-characters']);
const subscription = (id: string, rtspUrl: string): DesiredCameraSubscription => ({
  subscriptionIdentifier: id,
  rtspUrl,
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
});
const secretive = subscription('d1;c1', 'rtsp://u:hunter2@h/1');
const plain = subscription('d2;c2', 'rtsp://h/2');
const requested = { ...subscription('d3;c3', 'rtsp://u:hunter2@h/3'), modelUrl: 'https://s3/m?sig=hunter2' };

const summary = (desiredState: DesiredStateStore) =>
  Object.fromEntries(
    [...desiredState.entries].map(([id, { spec, redacted = false }]) => [id, [spec.rtspUrl, redacted]]),
  );

describe('DesiredStateStore', () => {
  /** The desired state at each call. */
  let listenerReads: string[][];
  let keys: ReturnType<typeof clusterKeys>;
  let explicit: ExplicitSubscriptionStore;
  let term: number;
  let database: DesiredState | Error;

  beforeEach(() => {
    keys = clusterKeys(`{test-${randomUUID()}}:`);
    listenerReads = [];
    explicit = requestStore(redis, keys, box);
    term = 0;
    database = { subscriptions: [secretive, plain], skipped: [] };
  });

  const read = () => (database instanceof Error ? Promise.reject(database) : Promise.resolve(database));
  const source = { read, readSome: read };

  /** The store of another term, after it has read its predecessor's record. */
  async function nextTerm(
    secrets: SecretBox | null = box,
    networks?: NetworkPolicy,
  ): Promise<DesiredStateStore> {
    const store = new FencedStore(redis, keys.fence, ++term);
    await store.raise();
    const requests = readOf(requestStore(redis, keys, secrets));
    const readListeners = () => {
      listenerReads.push([...desiredState.entries.keys()]);
      return Promise.resolve();
    };
    const desiredState: DesiredStateStore = new DesiredStateStore(
      store,
      keys,
      source,
      requests,
      readListeners,
      secrets,
      null,
      networks,
    );
    await desiredState.load(redis);
    return desiredState;
  }

  it('records what a read has changed in one call, and nothing that Redis has already', async () => {
    const desiredState = await nextTerm();
    const writing = vi.spyOn(FencedStore.prototype, 'write');
    const recorded = () => {
      const calls = writing.mock.calls.map(([commands]) => commands.map(([, key]) => key));
      writing.mockClear();
      return calls;
    };
    try {
      database = {
        subscriptions: [plain],
        skipped: [{ displayId: 'd8', reason: 'no-playlist', detail: 'none' }],
      };
      await desiredState.regenerate();
      expect(recorded()).toEqual([[keys.desired, keys.skipped]]);
      await desiredState.regenerate();
      expect(recorded()).toEqual([]);
      database = { subscriptions: [subscription('d4;c4', 'rtsp://h/4')], skipped: [] };
      await desiredState.regenerateSome({ displays: ['d4'] });
      expect(recorded()).toEqual([[keys.desired]]);
      database = { subscriptions: [], skipped: [] };
      await desiredState.regenerateSome({ displays: ['d8'] });
      expect(recorded()).toEqual([[keys.skipped]]);
    } finally {
      writing.mockRestore();
    }
  });

  it('leaves no comparison under way that could overlap with the next one', async () => {
    const desiredState = await nextTerm();
    const asking = vi.spyOn(redis, 'hscan').mockRejectedValueOnce(new Error('Redis is unavailable'));
    try {
      await expect(desiredState.compare()).rejects.toThrow('unavailable');
      expect(asking).toHaveBeenCalledOnce();
    } finally {
      asking.mockRestore();
    }
  });

  it('reads the listeners before it adopts new requests', async () => {
    const desiredState = await nextTerm();
    await desiredState.regenerate();
    expect(listenerReads).toEqual([]);
    await explicit.put(requested);
    await desiredState.regenerate();
    await desiredState.regenerate();
    const { subscriptionIdentifier } = requested;
    expect(listenerReads).toEqual([expect.not.arrayContaining([subscriptionIdentifier])]);
    expect(desiredState.entries.has(subscriptionIdentifier)).toBe(true);
    // Also while the database is unavailable.
    database = new Error('the database is unavailable');
    await explicit.put({ ...requested, subscriptionIdentifier: 'd9;c9' });
    await expect(desiredState.regenerate()).rejects.toThrow('unavailable');
    expect(listenerReads).toHaveLength(2);
    expect(desiredState.entries.has('d9;c9')).toBe(true);
  });

  it('describes only changed subscriptions again, even if the source mutates its objects', async () => {
    const rows = [{ ...secretive }, { ...plain }];
    database = { subscriptions: rows, skipped: [] };
    const desiredState = await nextTerm();
    const entries = async () => {
      await desiredState.regenerate();
      return ['d1;c1', 'd2;c2'].map((id) => desiredState.entries.get(id)!);
    };
    const [kept, before] = await entries();
    const record = await redis.hget(keys.desired, 'd2;c2');
    expect((await entries()).map((entry, i) => entry === [kept, before][i])).toEqual([true, true]);

    rows[1]!.rtspUrl = 'rtsp://h/moved';
    const [same, after] = await entries();
    expect(same).toBe(kept);
    expect(after!.hash).not.toBe(before!.hash);
    expect(after!.spec.rtspUrl).toBe('rtsp://h/moved');
    expect(await redis.hget(keys.desired, 'd2;c2')).not.toBe(record);
    // An additional property is a change too.
    rows[1]!.snapshotInterval = 3_000;
    expect((await entries())[1]!.hash).not.toBe(after!.hash);
  });

  it('skips invalid entries of its source, and takes the others', async () => {
    const wrong = [null, 'row', { ...plain, subscriptionIdentifier: 'x' }, { ...secretive, modelId: 7n }];
    database = { subscriptions: [...wrong, plain] as never, skipped: [] };
    const desiredState = await nextTerm();
    const { skipped } = await desiredState.regenerate();
    expect([...desiredState.entries.keys()]).toEqual(['d2;c2']);
    expect([...skipped.values()].flat().map(({ reason }) => reason)).toEqual([
      'malformed-row',
      'malformed-row',
      'invalid-display-id',
      'invalid-model',
    ]);
  });

  it('skips cameras in networks that are not allowed, even if a predecessor allowed them', async () => {
    const metadata = { ...plain, subscriptionIdentifier: 'd8;c8', rtspUrl: 'rtsp://169.254.169.254/1' };
    database = { subscriptions: [plain, metadata], skipped: [] };
    const problems: string[] = [];
    const lenient = await nextTerm(box, NetworkPolicy.of(['h', '169.254.0.0/16'], problems));
    await lenient.regenerate();
    expect([...lenient.entries.keys()]).toEqual(['d2;c2', 'd8;c8']);

    const strict = await nextTerm();
    for (let i = 0; i < 2; i++) {
      const { skipped } = await strict.regenerate();
      expect([...skipped.values()]).toEqual([
        [
          {
            displayId: 'd8',
            cameraId: 'c8',
            reason: 'forbidden-address',
            detail: expect.stringContaining('rtspUrl: must not be'),
          },
        ],
      ]);
      expect([...strict.entries.keys()]).toEqual(['d2;c2']);
    }
    expect(problems).toEqual([]);
  });

  const everythingWritten = async () =>
    JSON.stringify([await redis.hgetall(keys.desired), await redis.hgetall(keys.requested)]);

  it('encrypts URLs with a secret; a successor without the database knows them, and writes nothing again', async () => {
    const first = await nextTerm();
    await explicit.put(requested);
    await first.regenerate();
    const written = await everythingWritten();
    expect(written).toContain('rtsp://***@h/1');
    expect(written).not.toContain('hunter2');

    const rows = database;
    database = new Error('the database is unavailable');
    const second = await nextTerm();
    expect(second.certain).toBe(false);
    await expect(second.regenerate()).rejects.toThrow('unavailable');
    expect(second.certain).toBe(false);
    expect([...second.entries].sort()).toEqual([...first.entries].sort());

    database = rows;
    await second.regenerate();
    expect(await everythingWritten()).toBe(written);
  });

  it('writes no credentials without a secret; a successor without the database does not send redacted subscriptions', async () => {
    const first = await nextTerm(null);
    await first.regenerate();
    const written = await everythingWritten();
    expect(written).toContain('rtsp://***@h/1');
    expect(written).not.toContain('hunter2');

    database = new Error('the database is unavailable');
    const second = await nextTerm(null);
    expect(summary(second)).toEqual({
      'd1;c1': ['rtsp://***@h/1', true],
      'd2;c2': ['rtsp://h/2', false],
    });
    for (const [id, { hash }] of second.entries) expect(hash).toBe(first.entries.get(id)!.hash);
  });

  it('writes nothing again after a change of master, although a successor without a secret learns the credentials from the source', async () => {
    await (await nextTerm(null)).regenerate();
    const second = await nextTerm(null);
    const writing = vi.spyOn(FencedStore.prototype, 'write');
    try {
      await second.regenerate();
      expect(summary(second)['d1;c1']).toEqual(['rtsp://u:hunter2@h/1', false]);
      expect(writing).not.toHaveBeenCalled();
    } finally {
      writing.mockRestore();
    }
  });

  it('encrypts the records of a predecessor without a secret', async () => {
    await (await nextTerm(null)).regenerate();
    const successor = await nextTerm();
    await successor.regenerate();
    for (const record of Object.values(await redis.hgetall(keys.desired)))
      expect(record).toContain('"sealed"');
    database = new Error('the database is unavailable');
    expect(summary(await nextTerm())).toMatchObject({ 'd1;c1': ['rtsp://u:hunter2@h/1', false] });
  });

  it.each(Object.entries(urlForms))('shows no credentials in Redis: %s', async (_, form) => {
    const url = form('QxzUser', 'QxzPassword', 'camera.example');
    database = { subscriptions: [subscription('d1;c1', url)], skipped: [] };
    await (await nextTerm(null)).regenerate();
    expect(await everythingWritten()).not.toMatch(/Qxz(User|Password)/);
    const unsealed = requestStore(redis, keys, null);
    await unsealed.put(subscription('d8;c8', url));
    await explicit.put(subscription('d9;c9', url));
    await (await nextTerm()).regenerate();
    // Three letters alone occur in encrypted texts by chance.
    expect(await everythingWritten()).not.toMatch(/Qxz(User|Password)/);
  });

  it('takes explicit subscriptions while the database is unavailable, except those that it may override', async () => {
    await (await nextTerm()).regenerate();
    database = new Error('the database is unavailable');
    const desiredState = await nextTerm();
    await explicit.put(requested);
    await explicit.put({ ...plain, rtspUrl: 'rtsp://other/2' });
    await explicit.put({ ...secretive, rtspUrl: 'rtsp://u:other@h/1' });
    await expect(desiredState.regenerate()).rejects.toThrow('unavailable');
    expect(summary(desiredState)).toEqual({
      'd1;c1': ['rtsp://u:hunter2@h/1', false],
      'd2;c2': ['rtsp://h/2', false],
      'd3;c3': ['rtsp://u:hunter2@h/3', false],
    });
  });

  it('keeps and reports subscriptions that are sealed with another secret', async () => {
    await explicit.put(requested);
    const right = await nextTerm();
    await right.regenerate();
    const wrong = await nextTerm(new SecretBox(['x'.repeat(32)]));
    const { unreadable } = await wrong.regenerate();
    expect(unreadable).toEqual([expect.stringMatching(/^d3;c3 \(encrypted with a secret/)]);
    expect(wrong.entries.get('d3;c3')).toMatchObject({
      redacted: true,
      hash: right.entries.get('d3;c3')!.hash,
    });
  });
});

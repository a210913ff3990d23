import { randomUUID } from 'node:crypto';
import { closeRedis } from '@detector-cluster/election/redis';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { MasterHeartbeat } from '../operators/master-heartbeat.js';
import { clusterKeys } from '../shared/cluster-keys.js';
import { FencedStore } from '@detector-cluster/election/fence';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually } from '../../../../test/support/until.js';
import type { HeldRequests } from './held-requests.js';
import { heldRequests, readOf, REQUESTER, requestStore } from './requests.fixture.js';
import type { Requester } from './stored-subscription.js';
import { TermRequests } from './term-requests.js';
import { TermSeal } from './term-seal.js';

vi.setConfig({ testTimeout: 60_000 });
const LIMIT = 30_000;

const redis = openPatientRedis(process.env.REDIS_URL!);
afterAll(() => closeRedis(redis));

interface Named {
  readonly modelName: string;
}

const secretive = (subscriptionIdentifier: string): DesiredCameraSubscription => ({
  subscriptionIdentifier,
  rtspUrl: 'rtsp://u:hunter2@h/1',
  modelUrl: 'https://s3/m?X-Amz-Signature=hunter2',
  modelId: 1,
  modelName: 'cars',
  createdAt: '2026-01-01T00:00:00.000Z',
});

describe('requests that a process holds', () => {
  let keys: ReturnType<typeof clusterKeys>;
  let holders: HeldRequests[];
  let term: number;

  beforeEach(() => {
    keys = clusterKeys(`{test-${randomUUID()}}:`);
    holders = [];
    term = 0;
  });
  afterEach(() => Promise.all(holders.map((held) => held.close())));

  /** A process that requests cameras, and what it reports. */
  function process(requester: Requester = REQUESTER) {
    const changes: string[] = [];
    const warnings: string[] = [];
    const logger = { log: () => {}, debug: () => {}, warn: (message: string) => void warnings.push(message) };
    const onChange = () => void changes.push('change');
    const held = heldRequests(redis, keys, { requester, logger, onChange });
    holders.push(held);
    return { held, store: requestStore(redis, keys, null, held), changes, warnings };
  }

  /** The next master: what it can open. */
  async function master(): Promise<TermSeal> {
    const seal = new TermSeal(++term);
    const store = new FencedStore(redis, keys.fence, term);
    const { publicKey: sealKey } = seal.key;
    const timer = { repeat: () => () => undefined };
    await new MasterHeartbeat({ store, keys, processId: 'm', sealKey, mayAct: () => true, timer }).write();
    return seal;
  }

  const opened = async (seal: TermSeal) => (await requestStore(redis, keys, null).list(seal)).subscriptions;

  it('are open to the present master alone', async () => {
    const before = await master();
    const present = await master();
    const { store } = process();
    await store.putAll([secretive('a;1'), { ...secretive('b;1'), rtspUrl: 'rtsp://h/2' }]);
    expect(JSON.stringify(await redis.hgetall(keys.requested))).not.toContain('hunter2');
    expect(await opened(before)).toEqual([]);
    expect(await opened(present)).toEqual([secretive('a;1'), { ...secretive('b;1'), rtspUrl: 'rtsp://h/2' }]);
  });

  it('are encrypted again for each next master, which is then notified', async () => {
    const { store, changes, warnings } = process();
    await store.putAll(['a;1', 'b;1'].map(secretive));
    for (let n = 1; n <= 3; n++) {
      const seal = await master();
      await eventually(`the requests for master ${n}`, LIMIT, async () => (await opened(seal)).length === 2);
      await eventually('a message to it', LIMIT, () => changes.length === n);
    }
    expect(warnings).toEqual([expect.stringMatching(/^the request for a;1 ends with this process.*secret/)]);
  });

  it('are those that were made last, although earlier ones are being encrypted', async () => {
    const waiting: (() => void)[] = [];
    const late = new Proxy(redis, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'hset') return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          const reply: unknown = await Reflect.apply(value, target, args);
          if (waiting.length > 0) await new Promise<void>((resolve) => waiting.push(resolve));
          return reply;
        };
      },
    });
    const held = heldRequests(late, keys);
    holders.push(held);
    const store = requestStore(late, keys, null, held);
    await store.put(secretive('a;1'));
    waiting.push(() => {});
    const put = store.put({ ...secretive('a;1'), modelName: 'new' });
    const nameIn = async () => (JSON.parse((await redis.hget(keys.requested, 'a;1'))!) as Named).modelName;
    await eventually('the new request', LIMIT, async () => (await nameIn()) === 'new');
    const seal = await master();
    await eventually('the old request again', LIMIT, async () => (await nameIn()) === 'cars');
    for (const resolve of waiting) resolve();
    await put;
    await eventually('the new request for the master', LIMIT, async () => {
      const [found] = await opened(seal);
      return found?.modelName === 'new';
    });
  });

  it('stay withdrawn, or as another process has made them', async () => {
    const { store } = process();
    const other = process({ processId: 'q', bootId: 'q-1' });
    await store.putAll(['a;1', 'b;1', 'c;1', 'd;1'].map(secretive));
    await other.store.remove('a;1');
    await other.store.put({ ...secretive('b;1'), modelName: 'theirs' });
    await other.store.put({ ...secretive('c;1'), rtspUrl: 'rtsp://h/1', modelUrl: 'http://m' });
    const seal = await master();
    await eventually('both', LIMIT, async () => (await opened(seal)).length === 3);
    const found = await opened(seal);
    expect(found.map(({ subscriptionIdentifier: id, modelName }) => `${id} ${modelName}`)).toEqual([
      'b;1 theirs',
      'c;1 cars',
      'd;1 cars',
    ]);
    await store.removeByCamera('1');
    expect(await redis.exists(keys.requested)).toBe(0);
  });

  it('end with their process, without those that others have made since', async () => {
    const { held, store, changes } = process();
    const other = process({ ...REQUESTER, bootId: 'p-2' });
    await store.putAll(['a;1', 'b;1'].map(secretive));
    await other.store.put(secretive('b;1'));
    await held.close();
    expect(await redis.hkeys(keys.requested)).toEqual(['b;1']);
    expect(changes).toEqual(['change']);
  });

  it('are read as ended when their process has ended, and removed an hour later', async () => {
    const seal = await master();
    const gone = { processId: 'gone', bootId: 'gone-1' };
    const earlier = { ...REQUESTER, bootId: 'p-0' };
    await process().store.put(secretive('a;1'));
    await process(gone).store.put(secretive('b;1'));
    await process(earlier).store.put(secretive('c;1'));
    let now = 0;
    let processes = [REQUESTER];
    const requests = new TermRequests({
      explicit: requestStore(redis, keys, null),
      opener: seal,
      processes: () => Promise.resolve(processes),
      now: () => now,
    });
    const read = async () => {
      const { subscriptions, redacted, ended } = await requests.list();
      return [subscriptions, redacted, [...ended]].map((list) => list.length);
    };
    expect(await read()).toEqual([1, 0, 2]);
    expect((await requests.list()).ended.get('b;1')).toEqual({
      displayId: 'b',
      cameraId: '1',
      reason: 'requester-ended',
      detail: expect.stringMatching(/^the process gone, which requested b;1 without the option secret/),
    });
    expect(['p', 'gone', 'm'].map((id) => requests.isRequester(id))).toEqual([true, true, false]);

    // A process that was frozen returns.
    now = 3_599_999;
    processes = [REQUESTER, gone];
    expect(await read()).toEqual([2, 0, 1]);
    processes = [REQUESTER];
    now = 3_600_000;
    expect(await read()).toEqual([1, 0, 2]);
    expect((await redis.hkeys(keys.requested)).sort()).toEqual(['a;1', 'b;1']);
    now = 7_199_999;
    expect(await read()).toEqual([1, 0, 1]);
    now = 7_200_000;
    await read();
    expect(await redis.hkeys(keys.requested)).toEqual(['a;1']);
  });

  it('are no error of the master while it cannot open them', async () => {
    await process().store.put(secretive('a;1'));
    const { redacted } = await readOf(requestStore(redis, keys, null)).list();
    expect(redacted).toMatchObject([{ spec: { subscriptionIdentifier: 'a;1' }, otherSecret: false }]);
  });

  it('are readable without a master whose key can be used', async () => {
    await redis.set(keys.master, JSON.stringify({ processId: 'm', term: 1, sealKey: 'x' }), 'PX', 60_000);
    const { store } = process();
    await store.put(secretive('a;1'));
    expect((await store.list()).redacted).toHaveLength(1);
  });
});

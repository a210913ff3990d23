import { createHash } from 'node:crypto';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startAnswerCutter, type AnswerCutter } from '../../../../test/support/answer-cutter.js';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { NoMasterError } from '../shared/master-errors.js';
import { InvalidInputError } from '@detector-cluster/placement/internal';
import type { DeadLetter } from '@detector-cluster/delivery';
import type { DeadLetterPage, DeadLetters } from './dead-letters.js';
import { append } from '@detector-cluster/delivery/internal';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();
const once = { retryDelays: [], stopDeadline: 200 };
const isOfD1 = ({ subscriptionIdentifier }: DeadLetter) => subscriptionIdentifier === 'd1;c';
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe.each(servers)('dead letters (%s)', (url) => {
  let cluster: DeliveryHarness;
  let letters: DeadLetters;
  let broken: boolean;
  const closing: (() => Promise<void>)[] = [];

  const failing = () => {
    if (broken) throw new Error('broken at rtsp://admin:s3cret@10.0.0.1/');
  };

  function open(redisUrl: string): void {
    cluster = new DeliveryHarness(redisUrl);
    letters = cluster.letters;
  }

  beforeEach(() => {
    open(url);
    broken = true;
  });
  afterEach(async () => {
    await cluster.close();
    for (const close of closing.splice(0)) await close();
  });

  async function master(more: Parameters<DeliveryHarness['master']>[0] = {}, owners = ['a']) {
    const { router, events } = cluster.master(more);
    router.setMembers(owners);
    await router.start();
    return { router, events };
  }

  /** Detections whose callbacks failed for good at process `a`. */
  async function fail(count: number) {
    const { consumer } = await cluster.process('a', once, failing);
    const { router, events } = await master();
    for (let i = 0; i < count; i++) cluster.send(router, 'w');
    await until(async () => (await letters.list({ limit: 1_000 })).length === count);
    await until(async () => (await cluster.backlog()) === 0);
    cluster.delivered.length = 0;
    return { router, events, consumer };
  }

  const idsOfAll = async () => (await letters.list({ limit: 1_000 })).map(({ letterId }) => letterId);

  it('are listed oldest first, in pages, with what failed and why', async () => {
    await fail(5);
    const all = await letters.list();
    expect(all.map(({ detectionId }) => detectionId)).toEqual(upTo(5).map((n) => `w;camera#${n}`));
    expect(all[0]).toMatchObject({
      workerUrl: 'w',
      subscriptionIdentifier: 'w;camera',
      audience: 'owner',
      attempts: 1,
      processId: 'a',
    });
    expect(all[0]!.error).toContain('broken');
    expect(all[0]!.error).not.toContain('s3cret');
    expect(JSON.parse(all[0]!.frame)).toMatchObject({ data: { detection: { n: 0 } } });
    const first = await letters.list({ limit: 3 });
    const second = await letters.list({ after: all[2]!.letterId, limit: 3 });
    expect([...first, ...second]).toEqual(all);
    expect(await letters.list({ after: all[4]!.letterId })).toEqual([]);
  });

  it('are listed in the order of their failures across partitions', async () => {
    await cluster.process('a', once, failing);
    const { router } = await master();
    for (const n of upTo(20)) {
      cluster.send(router, 'w', `d${n};c`);
      await until(async () => (await letters.list()).length === n + 1);
    }
    const all = await letters.list();
    expect(all.map(({ subscriptionIdentifier }) => subscriptionIdentifier)).toEqual(
      upTo(20).map((n) => `d${n};c`),
    );
    const pages: string[] = [];
    for (let after: string | undefined; pages.length < 20; after = pages.at(-1))
      pages.push(...(await letters.list({ limit: 3, ...(after && { after }) })).map((each) => each.letterId));
    expect(pages).toEqual(all.map(({ letterId }) => letterId));
  });

  it('are listed newest first, and only those that match, page by page', async () => {
    await cluster.process('a', once, failing);
    const { router } = await master();
    for (const n of upTo(12)) {
      cluster.send(router, 'w', `d${n % 3};c`);
      await until(async () => (await letters.list()).length === n + 1);
    }
    const oldestFirst = await idsOfAll();
    expect(await letters.list({ newestFirst: true })).toMatchObject(
      oldestFirst.toReversed().map((letterId) => ({ letterId })),
    );
    const pages = async (page: DeadLetterPage) => {
      const found: string[] = [];
      for (let after: string | undefined; ; after = found.at(-1)) {
        const next = await letters.list({ ...page, limit: 2, ...(after !== undefined && { after }) });
        if (next.length === 0) return found;
        found.push(...next.map(({ letterId }) => letterId));
      }
    };
    expect(await pages({ newestFirst: true })).toEqual(oldestFirst.toReversed());
    const matches = isOfD1;
    const matching = oldestFirst.filter((_, n) => n % 3 === 1);
    expect(await pages({ matches })).toEqual(matching);
    expect(await pages({ matches, newestFirst: true })).toEqual(matching.toReversed());
    await expect(letters.list({ matches: 'all' as never })).rejects.toThrow(InvalidInputError);
  });

  it('of one instant are in the order of their partitions, in both directions', async () => {
    await master();
    for (const partition of [2, 0, 1])
      await cluster.redis.xadd(`${cluster.keys.partition(partition)}:dead`, '5-0', 'message', '{}');
    await cluster.redis.xadd(cluster.keys.deadLetters, '5-0', 'message', '{}');
    const ids = ['5-0-0', '5-0-1', '5-0-2', '5-0-l'];
    for (const newestFirst of [false, true]) {
      const order = newestFirst ? ids.toReversed() : ids;
      for (const [n, after] of order.entries()) {
        const rest = await letters.list({ after, newestFirst });
        expect(rest.map(({ letterId }) => letterId)).toEqual(order.slice(n + 1));
      }
    }
  });

  it('are delivered again once, marked and in order, before what follows', async () => {
    const { router } = await fail(300);
    broken = false;
    expect(await letters.replay('all')).toEqual({ replayed: 300, left: [], gone: [] });
    for (let i = 0; i < 50; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length >= 350 && router.stats().buffered === 0);
    await until(async () => (await cluster.backlog()) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(350));
    expect(cluster.delivered.map(({ redelivered }) => redelivered)).toEqual(upTo(350).map((n) => n < 300));
    expect(await letters.list()).toEqual([]);
    expect(router.stats()).toMatchObject({ replayed: 300, accepted: 650 });
  });

  it('are replayed by id: unknown ids are reported, and a detection that fails again becomes a new letter', async () => {
    await fail(3);
    const [first, , third] = await idsOfAll();
    const asked = [first!, '1-1-0', third!];
    expect(await letters.replay(asked)).toEqual({ replayed: 2, left: [], gone: ['1-1-0'] });
    await until(async () => (await letters.list()).length === 3);
    expect((await letters.list()).map(({ detectionId }) => detectionId)).toEqual(
      [1, 0, 2].map((n) => `w;camera#${n}`),
    );
  });

  it('go to the present owner of the partition', async () => {
    const { consumer, router } = await fail(10);
    await cluster.process('b');
    router.setMembers(['b']);
    await until(() => consumer.stats().partitions.length === 0);
    expect(await letters.replay('all')).toEqual({ replayed: 10, left: [], gone: [] });
    await until(() => cluster.delivered.length === 10);
    expect(cluster.delivered.every(({ processId }) => processId === 'b')).toBe(true);
  });

  it("of a subscription's listener go to a process that listens to it, and stay if there is none", async () => {
    await cluster.process('a');
    const b = await cluster.process('b', once, undefined, { global: false });
    let heard = 0;
    const listener = () => {
      heard++;
      failing();
    };
    b.listeners.add('w;camera', listener);
    const { router } = await master({}, ['a', 'b']);
    await cluster.announced(b);
    cluster.send(router, 'w');
    await until(async () => (await letters.list()).length === 1);
    broken = false;
    expect(await letters.replay('all')).toEqual({ replayed: 1, left: [], gone: [] });
    await until(() => heard === 2);

    broken = true;
    cluster.send(router, 'w');
    await until(async () => (await letters.list()).length === 1);
    b.listeners.remove('w;camera', listener);
    await cluster.announced(b);
    const [letter] = await letters.list();
    expect(letter).toMatchObject({ audience: 'listener', processId: 'b' });
    expect(await letters.replay('all')).toEqual({ replayed: 0, left: [letter!.letterId], gone: [] });
    await until(() => cluster.delivered.length === 2);
    expect(cluster.numbersOf('w;camera')).toEqual([0, 1]);
  });

  it('are replayed by the next master if there is none at the time of the request', async () => {
    const { router } = await fail(4);
    router.close();
    broken = false;
    await expect(letters.replay('all')).rejects.toThrow(NoMasterError);
    expect(await letters.list()).toHaveLength(4);
    await master();
    await until(() => cluster.delivered.length === 4);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(4));
    await until(async () => (await letters.list()).length === 0);
    expect(await letters.replay('all')).toEqual({ replayed: 0, left: [], gone: [] });
  });

  it('are replayed once if two callers ask at the same time', async () => {
    await fail(200);
    broken = false;
    const results = await Promise.all([letters.replay('all'), letters.replay('all')]);
    await until(() => cluster.delivered.length >= 200);
    await until(async () => (await cluster.backlog()) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(200));
    expect(results[0].replayed + results[1].replayed).toBeGreaterThanOrEqual(200);
  });

  it('are dropped by id or all at once, and only once', async () => {
    await fail(5);
    const [first, second] = (await idsOfAll()) as [string, string];
    expect(await letters.drop([first, '1-1-0', first])).toEqual({ dropped: 1, left: [], gone: ['1-1-0'] });
    expect(await letters.drop([first, second])).toEqual({ dropped: 1, left: [], gone: [first] });
    expect((await letters.list()).map(({ detectionId }) => detectionId)).toEqual(
      [2, 3, 4].map((n) => `w;camera#${n}`),
    );
    expect(await letters.replay([first])).toEqual({ replayed: 0, left: [], gone: [first] });
    expect(await letters.drop('all')).toEqual({ dropped: 3, left: [], gone: [] });
    expect(await letters.drop('all')).toEqual({ dropped: 0, left: [], gone: [] });
    expect(cluster.delivered).toEqual([]);
  });

  it('are dropped without a master, except those that the next master will replay', async () => {
    const { router } = await fail(4);
    router.close();
    broken = false;
    const [first, ...others] = (await idsOfAll()) as [string, ...string[]];
    await expect(letters.replay([first])).rejects.toThrow(NoMasterError);
    expect(await letters.drop('all')).toEqual({ dropped: 3, left: [first], gone: [] });
    expect(await letters.replay(others)).toEqual({ replayed: 0, left: [], gone: others });
    await master();
    await until(() => cluster.delivered.length === 1);
    await until(async () => (await letters.list()).length === 0);
    expect(cluster.numbersOf('w;camera')).toEqual([0]);
  });

  it('are either replayed or dropped if both are asked for at the same time', async () => {
    await fail(300);
    broken = false;
    const all = await idsOfAll();
    const parts = upTo(30).map((n) => all.slice(n * 10, n * 10 + 10));
    const [replays, drops] = await Promise.all([
      Promise.all(parts.map((ids) => letters.replay(ids))),
      Promise.all(parts.toReversed().map((ids) => letters.drop(ids))),
    ]);
    const replayed = sum(replays.map((result) => result.replayed));
    const dropped = sum(drops.map((result) => result.dropped));
    expect(replayed + dropped).toBe(300);
    expect(sum(replays.map(({ gone }) => gone.length))).toBe(dropped);
    expect(sum(drops.map(({ gone, left }) => gone.length + left.length))).toBe(replayed);
    await until(() => cluster.delivered.length >= replayed);
    await until(async () => (await cluster.backlog()) === 0);
    expect(cluster.delivered).toHaveLength(replayed);
    expect(await letters.list()).toEqual([]);
  });

  it('are appended once by a new master that loses the reply to its first append', async () => {
    const first = await fail(20);
    first.router.close();
    broken = false;
    const cutter: AnswerCutter = await startAnswerCutter(url);
    closing.push(() => cutter.close());
    await cluster.redis.script('LOAD', append);
    cutter.cutAnswerTo(createHash('sha1').update(append).digest('hex'));
    const { router, events } = await master({ url: cutter.url });
    expect(await letters.replay('all')).toEqual({ replayed: 20, left: [], gone: [] });
    for (let i = 0; i < 30; i++) cluster.send(router, 'w');
    await until(
      () => cluster.delivered.length >= 50,
      () => [cluster.delivered.length, router.stats()],
    );
    await until(async () => (await cluster.backlog()) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(50));
    expect(events.some(({ type }) => type === 'redis-error')).toBe(true);
    expect(router.stats().present).toBeGreaterThan(0);
  });

  it('reject arguments that are not letter ids, and name the field', async () => {
    await expect(letters.list({ limit: 0 })).rejects.toThrow(InvalidInputError);
    await expect(letters.list({ after: 'x' })).rejects.toThrow('after: must be a letterId');
    await expect(letters.replay(['5'])).rejects.toThrow('ids: must be a letterId');
    await expect(letters.drop(['5'])).rejects.toThrow('ids: must be a letterId');
    await expect(letters.replay(7 as never)).rejects.toThrow("ids: must be an array of letter ids, or 'all'");
  });

  it('are written while Redis is out of memory, so that failing callbacks do not block a full server', async () => {
    const server: RedisService = await startRedis({ generation: url === servers[0] ? '7' : '8' });
    closing.push(() => server.stop());
    await cluster.close();
    open(server.url);
    let ready: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (ready = resolve));
    await cluster.process('a', once, () => gate.then(failing));
    const { router, events } = await master();
    for (let i = 0; i < 30; i++) cluster.send(router, 'w');
    await until(() => router.stats().accepted === 30);
    await cluster.redis.config('SET', 'maxmemory', '1');
    cluster.send(router, 'w');
    await until(() =>
      events.some((event) => event.type === 'redis-error' && /OOM/.test(event.error.message)),
    );
    ready!();
    await until(async () => (await letters.list()).length === 30);
    expect(await cluster.backlog()).toBe(0);
    broken = false;
    await cluster.redis.config('SET', 'maxmemory', '0');
    expect(await letters.replay('all')).toEqual({ replayed: 30, left: [], gone: [] });
    await until(() => cluster.delivered.length === 30 + 31);
  });
});

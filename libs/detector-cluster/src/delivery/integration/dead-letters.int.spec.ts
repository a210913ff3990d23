import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startAnswerCutter, type AnswerCutter } from '../../../../../test/support/answer-cutter.js';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';
import { NoMasterError } from '../../model/no-master-error.js';
import { InvalidInputError } from '../../model/subscription-identifier.js';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { replay, reroute } from '../scripts/scripts.generated.js';

jest.setTimeout(30_000);

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

describe.each(servers)('dead letters (%s)', (url) => {
  let cluster: DeliveryHarness;
  let letters: DeadLetters;
  let cutter: AnswerCutter | undefined;
  let broken: boolean;
  const once = { retryDelays: [], stopDeadline: 200 };
  const failing = () => {
    if (broken) throw new Error('broken');
  };

  beforeEach(() => {
    cluster = new DeliveryHarness(url);
    letters = new DeadLetters(cluster.redis, cluster.keys);
    broken = true;
  });
  afterEach(async () => {
    await cluster.close();
    await cutter?.close();
    cutter = undefined;
  });

  async function master(
    owners: string[],
    more: Parameters<DeliveryHarness['master']>[0] = {},
    alive = owners,
  ) {
    const { router, events } = cluster.master(more);
    router.setMembers(owners, alive);
    router.setWorkers(['w']);
    await router.start();
    return { router, events };
  }

  async function fail(count: number, owners = ['a']) {
    const { router, events } = await master(owners);
    for (let i = 0; i < count; i++) cluster.send(router, 'w');
    await until(async () => (await cluster.redis.xlen(cluster.keys.deadLetters)) === count);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave(owners[0]!))) === 0);
    cluster.delivered.length = 0;
    return { router, events };
  }

  it('are listed oldest first, in pages, with what failed and why', async () => {
    await cluster.process('a', once, failing);
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
    expect(JSON.parse(all[0]!.frame)).toMatchObject({ data: { detection: { n: 0 } } });
    expect(Date.now() - all[0]!.failedAt.getTime()).toBeLessThan(30_000);
    const [first, second] = [
      await letters.list({ limit: 3 }),
      await letters.list({ after: all[2]!.letterId, limit: 3 }),
    ];
    expect([...first, ...second]).toEqual(all);
    expect(await letters.list({ after: all[4]!.letterId })).toEqual([]);
  });

  it('are delivered again, marked, in order, once, and what follows is delivered too', async () => {
    await cluster.process('a', once, failing);
    const { router } = await fail(300);
    broken = false;
    expect(await letters.replay('all')).toEqual({ replayed: 300, left: [], gone: [] });
    for (let i = 0; i < 50; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length >= 350);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(350));
    expect(cluster.delivered.map(({ redelivered }) => redelivered)).toEqual(upTo(350).map((n) => n < 300));
    expect(await letters.list()).toEqual([]);
    expect(router.stats()).toMatchObject({ replayed: 300, accepted: 350 });
  });

  it('only those that are named; unknown ones are told; one that fails again is a letter again', async () => {
    await cluster.process('a', once, failing);
    await fail(3);
    const [first, , third] = await letters.list();
    const asked = [first!.letterId, '1-1', third!.letterId];
    expect(await letters.replay(asked)).toEqual({ replayed: 2, left: [], gone: ['1-1'] });
    await until(async () => (await letters.list()).length === 3);
    expect((await letters.list()).map(({ detectionId }) => detectionId)).toEqual(
      [1, 0, 2].map((n) => `w;camera#${n}`),
    );
  });

  it('go to the present owner, not to the one that failed', async () => {
    await cluster.process('a', once, failing);
    const { router } = await fail(10);
    await cluster.process('b');
    router.memberLost('a');
    router.setMembers(['b']);
    expect(await letters.replay('all')).toEqual({ replayed: 10, left: [], gone: [] });
    await until(() => cluster.delivered.length === 10);
    expect(cluster.delivered.every(({ processId }) => processId === 'b')).toBe(true);
  });

  it("of a subscription's listener go to a process that listens, and stay where nobody does", async () => {
    await cluster.process('a');
    const b = await cluster.process('b', once);
    let heard = 0;
    const remove = b.listeners.add('w;camera', () => {
      heard++;
      failing();
    });
    const { router } = await master(['a'], {}, ['a', 'b']);
    await b.registry.announce();
    cluster.send(router, 'w');
    await until(async () => (await letters.list()).length === 1);
    broken = false;
    expect(await letters.replay('all')).toEqual({ replayed: 1, left: [], gone: [] });
    await until(() => heard === 2);

    broken = true;
    cluster.send(router, 'w');
    await until(async () => (await letters.list()).length === 1);
    remove();
    await b.registry.announce();
    const [letter] = await letters.list();
    expect(letter).toMatchObject({ audience: 'listener', processId: 'b' });
    expect(await letters.replay('all')).toEqual({ replayed: 0, left: [letter!.letterId], gone: [] });
    expect(cluster.numbersOf('w;camera')).toEqual([0, 1]);
  });

  it('a request without a master is an error, and is carried out by the next one', async () => {
    await cluster.process('a', once, failing);
    const { router } = await fail(4);
    await router.close();
    broken = false;
    const impatient = new DeadLetters(cluster.redis, cluster.keys, 100);
    await expect(impatient.replay('all')).rejects.toThrow(NoMasterError);
    expect(await letters.list()).toHaveLength(4);
    await master(['a']);
    await until(() => cluster.delivered.length === 4);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(4));
    expect(await cluster.redis.exists(cluster.keys.replayRequests)).toBe(0);
  });

  it('two that ask for the same at once deliver it once', async () => {
    await cluster.process('a', once, failing);
    await fail(200);
    broken = false;
    const results = await Promise.all([letters.replay('all'), letters.replay('all')]);
    await until(() => cluster.delivered.length >= 200);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(200));
    expect(results[0].replayed + results[1].replayed).toBeGreaterThanOrEqual(200);
  });

  it('are dropped for good: those that are named, or all; a second time there is nothing left to drop', async () => {
    await cluster.process('a', once, failing);
    await fail(5);
    const [first, second] = (await letters.list()).map(({ letterId }) => letterId) as [string, string];
    expect(await letters.drop([first, '1-1', first])).toEqual({ dropped: 1, left: [], gone: ['1-1'] });
    expect(await letters.drop([first, second])).toEqual({ dropped: 1, left: [], gone: [first] });
    expect((await letters.list()).map(({ detectionId }) => detectionId)).toEqual(
      [2, 3, 4].map((n) => `w;camera#${n}`),
    );
    expect(await letters.replay([first])).toEqual({ replayed: 0, left: [], gone: [first] });
    expect(await letters.drop('all')).toEqual({ dropped: 3, left: [], gone: [] });
    expect(await letters.drop('all')).toEqual({ dropped: 0, left: [], gone: [] });
    expect(await letters.list()).toEqual([]);
    expect(cluster.delivered).toEqual([]);
  });

  it('are dropped without a master, but for those that the next one is to deliver again', async () => {
    await cluster.process('a', once, failing);
    const { router } = await fail(4);
    await router.close();
    broken = false;
    const [first, ...others] = (await letters.list()).map(({ letterId }) => letterId) as [
      string,
      ...string[],
    ];
    const impatient = new DeadLetters(cluster.redis, cluster.keys, 100);
    await expect(impatient.replay([first])).rejects.toThrow(NoMasterError);
    expect(await letters.drop('all')).toEqual({ dropped: 3, left: [first], gone: [] });
    expect(await letters.replay(others)).toEqual({ replayed: 0, left: [], gone: others });
    await master(['a']);
    await until(() => cluster.delivered.length === 1);
    await until(async () => (await letters.list()).length === 0);
    expect(cluster.numbersOf('w;camera')).toEqual([0]);
  });

  it('are either delivered again or dropped, where both are asked for at once', async () => {
    await cluster.process('a', once, failing);
    await fail(300);
    broken = false;
    const all = (await letters.list({ limit: 1_000 })).map(({ letterId }) => letterId);
    const parts = upTo(30).map((n) => all.slice(n * 10, n * 10 + 10));
    const [replays, drops] = await Promise.all([
      Promise.all(parts.map((ids) => letters.replay(ids))),
      Promise.all(parts.toReversed().map((ids) => letters.drop(ids))),
    ]);
    const replayed = sum(replays.map((result) => result.replayed));
    const dropped = sum(drops.map((result) => result.dropped));
    expect(replayed + dropped).toBe(300);
    // Who was second knows.
    expect(sum(replays.map(({ gone }) => gone.length))).toBe(dropped);
    expect(sum(drops.map(({ gone, left }) => gone.length + left.length))).toBe(replayed);
    await until(() => cluster.delivered.length >= replayed);
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    expect(cluster.delivered).toHaveLength(replayed);
    expect(await letters.list()).toEqual([]);
  });

  it.each(['replay', 'reroute'] as const)(
    'a new master loses and doubles nothing where the reply to its %s is lost and the same ids are due next',
    async (what) => {
      const script = what === 'replay' ? replay : reroute;
      await cluster.process('a', once, what === 'replay' ? failing : () => new Promise(() => undefined));
      const first = await master(['a']);
      for (let i = 0; i < 20; i++) cluster.send(first.router, 'w');
      await until(() => first.router.stats().accepted === 20);
      if (what === 'replay') await until(async () => (await letters.list()).length === 20);
      await first.router.close();
      cluster.delivered.length = 0;
      broken = false;

      cutter = await startAnswerCutter(url);
      await cluster.redis.script('LOAD', script);
      cutter.cutAnswerTo(createHash('sha1').update(script).digest('hex'));
      await cluster.process('b');
      const { router, events } = await master([what === 'replay' ? 'a' : 'b'], { redis: cutter.url }, [
        what === 'replay' ? 'a' : 'b',
        'b',
      ]);
      if (what === 'replay')
        expect(await letters.replay('all')).toEqual({ replayed: 20, left: [], gone: [] });
      for (let i = 0; i < 30; i++) cluster.send(router, 'w');
      await until(
        () => cluster.delivered.length >= 50,
        () => [cluster.delivered.length, router.stats()],
      );
      expect(cluster.numbersOf('w;camera')).toEqual(upTo(50));
      expect(events.some(({ type }) => type === 'redis-error')).toBe(true);
    },
  );

  it('bad arguments are refused by name', async () => {
    await expect(letters.list({ limit: 0 })).rejects.toThrow(InvalidInputError);
    await expect(letters.list({ after: 'x' })).rejects.toThrow('after: must be a letterId');
    await expect(letters.replay(['5'])).rejects.toThrow('ids: must be a letterId');
    await expect(letters.drop(['5'])).rejects.toThrow('ids: must be a letterId');
    await expect(letters.replay(7 as never)).rejects.toThrow("ids: must be an array of letter ids, or 'all'");
  });
});

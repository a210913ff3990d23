import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, idle, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { orderProblems } from '../../../../test/support/delivery-order.js';
import { partitionOf } from '../log/log-address.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const slow = () => sleep(1);

describe('when a living owner gives up partitions', () => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  const ownedBy = async (processId: string) =>
    (await cluster.owners()).filter((owner) => owner === processId).length;

  it('loses and repeats nothing under load, and keeps the order', async () => {
    for (const processId of ['a', 'b', 'c']) await cluster.process(processId, {}, slow);
    const { router, events } = cluster.master({ options: { partitions: 8 } });
    router.setMembers(['a', 'b', 'c'], idle('b', 'c'));
    await router.start();
    await cluster.assigned();
    let sent = 0;
    for (const owners of [['a'], ['b'], ['b', 'c'], ['a', 'b', 'c'], ['c']]) {
      router.setMembers(['a', 'b', 'c'], idle(...['a', 'b', 'c'].filter((id) => !owners.includes(id))));
      const before = cluster.delivered.length;
      // Each member gets some of the load before the next change.
      await until(() => {
        for (const n of upTo(8)) cluster.send(router, 'w', `d${n};c`);
        sent += 8;
        const active = cluster.delivered.slice(before).map(({ processId }) => processId);
        return owners.every((owner) => active.filter((each) => each === owner).length > 20);
      });
    }
    await until(
      () => cluster.delivered.length >= sent,
      () => [router.stats(), events, cluster.delivered.length, sent],
    );
    await until(async () => (await ownedBy('c')) === 8 && (await cluster.backlog()) === 0);
    for (const n of upTo(8)) expect(cluster.numbersOf(`d${n};c`)).toEqual(upTo(sent / 8));
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(cluster.delivered.some(({ redelivered }) => redelivered)).toBe(false);
  });

  it('hands over the other partitions while a callback of one still runs', async () => {
    let end: (() => void) | undefined;
    await cluster.process('a', {}, ({ subscription }) =>
      subscription === 'stuck;c' ? new Promise<void>((resolve) => (end = resolve)) : undefined,
    );
    const { router } = cluster.master({ options: { partitions: 4 } });
    router.setMembers(['a', 'b'], idle('b'));
    await router.start();
    cluster.send(router, 'w', 'stuck;c');
    await until(() => end !== undefined);
    await cluster.process('b');
    router.setMembers(['a', 'b'], idle('a'));
    cluster.send(router, 'w', 'stuck;c');
    await until(async () => (await ownedBy('b')) === 3);
    await sleep(100);
    expect(await ownedBy('a')).toBe(1);
    expect(cluster.numbersOf('stuck;c')).toEqual([0]);
    end!();
    await until(() => cluster.delivered.length === 2);
    expect(await ownedBy('b')).toBe(4);
    expect(cluster.delivered).toMatchObject([
      { processId: 'a', n: 0, redelivered: false },
      { processId: 'b', n: 1, redelivered: false },
    ]);
  });

  it('marks a detection as redelivered if its callback failed at the previous owner', async () => {
    await cluster.process('a', { retryDelays: [20_000] }, () => {
      throw new Error('not here');
    });
    await cluster.process('b');
    const { router } = cluster.master();
    router.setMembers(['a', 'b'], idle('b'));
    await router.start();
    cluster.send(router, 'w');
    cluster.send(router, 'w', 'x;camera');
    await until(() => cluster.delivered.length === 2);
    router.setMembers(['a', 'b'], idle('a'));
    await until(() => cluster.delivered.length === 4);
    await until(async () => (await ownedBy('b')) === 32);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 5);
    expect(cluster.deliveredTo('b').map(({ n, redelivered }) => [n, redelivered])).toEqual([
      [0, true],
      [0, true],
      [1, false],
    ]);
  });

  it('balances the partitions over the members, at most an eighth at a time', async () => {
    await cluster.process('a');
    const { router, events } = cluster.master({ options: { rebalanceInterval: 100 } });
    router.setMembers(['a']);
    await router.start();
    await until(async () => (await ownedBy('a')) === 32);
    await cluster.process('b');
    let most = 0;
    router.setMembers(['a', 'b']);
    await until(async () => {
      const records = await Promise.all(upTo(32).map((partition) => cluster.record(partition)));
      most = Math.max(most, records.filter(({ next }) => next !== undefined).length);
      // The assigner tolerates a difference of 30 % of the mean load.
      return (await ownedBy('b')) >= 14;
    });
    expect(most).toBeLessThanOrEqual(4);
    const asked = events.flatMap((event) => (event.type === 'hand-over-asked' ? [event] : []));
    for (const { partitions, to } of asked) expect([to, partitions.length <= 4]).toEqual(['b', true]);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    await sleep(500);
    expect(await ownedBy('b')).toBeLessThanOrEqual(16);
  });

  it('balances the load by the rates of the partitions', async () => {
    await cluster.process('a');
    await cluster.process('b');
    const { router } = cluster.master({ options: { partitions: 8, lookInterval: 200 } });
    router.setMembers(['a', 'b']);
    await router.start();
    await cluster.assigned();
    const [busy, ...quiet] = [
      ...(await cluster.subscriptionsAt('a', 4)),
      ...(await cluster.subscriptionsAt('b', 4)),
    ] as [string, ...string[]];
    const busyPartition = partitionOf(busy, 8);
    await until(async () => {
      for (const name of quiet) cluster.send(router, 'w', name);
      for (let i = 0; i < quiet.length; i++) cluster.send(router, 'w', busy);
      const owners = await cluster.owners();
      return owners.filter((owner) => owner === owners[busyPartition]).length <= 2;
    });
    await until(async () => (await cluster.backlog()) === 0);
    expect(orderProblems(cluster.delivered)).toEqual([]);
  });

  it('gives partitions to the master only while no follower can own them', async () => {
    await cluster.process('master');
    const { router } = cluster.master();
    router.setMembers(['master']);
    await router.start();
    await until(async () => (await ownedBy('master')) === 32);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);

    const follower = await cluster.process('follower');
    router.setMembers(['follower']);
    await until(async () => (await ownedBy('follower')) === 32);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 2);
    // A detection that its owner has not acknowledged would be delivered again.
    await until(async () => (await cluster.backlog()) === 0);

    follower.crash();
    router.setMembers(['master']);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 3);
    expect(cluster.delivered.map(({ processId }) => processId)).toEqual(['master', 'follower', 'master']);
  });

  it('gives partitions to an absent process as soon as it is back', async () => {
    await cluster.process('a');
    let looks = 0;
    const { router } = cluster.master({
      options: { lookInterval: 600_000 },
      readMembers: async () => router.setMembers(['a'], undefined, new Set(++looks < 4 ? ['a'] : [])),
    });
    await router.start();
    await until(async () => (await ownedBy('a')) === 32);
    expect(looks).toBe(4);
  });

  it('takes what has no owner itself while all others are absent', async () => {
    await cluster.process('a');
    await cluster.process('master');
    const { router } = cluster.master();
    router.setMembers(['a'], undefined, new Set(['a']));
    await router.start();
    await until(async () => (await ownedBy('master')) === 32);
    router.setMembers(['a']);
    await until(async () => (await ownedBy('a')) === 32);
  });

  it('gives partitions only to processes with a global listener', async () => {
    const a = await cluster.process('a');
    const b = await cluster.process('b', {}, undefined, { global: false });
    const { router } = cluster.master();
    router.setMembers(['b', 'a']);
    await router.start();
    await until(async () => (await ownedBy('a')) === 32);
    const heard: string[] = [];
    b.listeners.addGlobal((_, { detectionId }) => void heard.push(detectionId));
    await b.registry.announce();
    await until(async () => (await ownedBy('b')) >= 14);
    for (const callback of a.listeners.ofAll()) a.listeners.removeGlobal(callback);
    await a.registry.announce();
    await until(async () => (await ownedBy('b')) === 32);
    const id = cluster.send(router, 'w');
    await until(() => heard.length === 1);
    expect(heard).toEqual([id]);
    expect(cluster.delivered).toEqual([]);
  });

  it('does not make the next owner wait when a process stops', async () => {
    const gaps: number[] = [];
    // An owner that takes a partition over, without a release, waits for more than a second.
    for (let round = 0; round < 5 && !gaps.some((gap) => gap < 900); round++) {
      const [before, after] = [`p${round}`, `p${round + 1}`];
      const { consumer, registry } = await cluster.process(before, {}, slow);
      const { router } = cluster.master();
      router.setMembers([before]);
      await router.start();
      for (let i = 0; i < 300; i++) cluster.send(router, 'w');
      await until(() => cluster.delivered.length >= round * 300 + 20);
      await cluster.process(after, {}, slow);
      await registry.withdraw();
      await consumer.stop();
      const last = cluster.deliveredTo(before).at(-1)!;
      router.setMembers([after]);
      await until(() => cluster.delivered.length === (round + 1) * 300);
      const [first] = cluster.deliveredTo(after);
      expect(first).toMatchObject({ n: last.n + 1, redelivered: false });
      gaps.push(first!.at - last.at);
      await until(async () => (await cluster.backlog()) === 0);
      router.close();
    }
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(cluster.delivered.some(({ redelivered }) => redelivered)).toBe(false);
    expect(Math.min(...gaps)).toBeLessThan(900);
  });

  it('publishes the owners; the next master keeps them', async () => {
    await cluster.process('a');
    await cluster.process('b');
    const first = cluster.master();
    first.router.setMembers(['a', 'b']);
    await first.router.start();
    await until(() => first.published.length > 0);
    const owners = await cluster.assigned();
    expect(first.published.at(-1)).toEqual({ ...owners });
    first.router.close();
    const second = cluster.master();
    second.router.setMembers(['b', 'a']);
    await second.router.start();
    cluster.send(second.router, 'w');
    await until(() => cluster.delivered.length === 1);
    await until(() => second.published.length > 0);
    expect(await cluster.owners()).toEqual(owners);
    expect(second.published).toEqual([{ ...owners }]);
    expect(second.events.filter(({ type }) => type !== 'redis-error')).toEqual([]);
  });
});

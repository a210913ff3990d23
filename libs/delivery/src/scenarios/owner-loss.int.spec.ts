import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LISTENER_LIFETIME } from '../log/log-address.js';
import { DeliveryHarness, idle, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { orderProblems, startInstant } from '../../../../test/support/delivery-order.js';

vi.setConfig({ testTimeout: 40_000, hookTimeout: 40_000 });

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

const slow = () => sleep(2);

describe.each(servers)('when an owner is lost (%s)', (url) => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(url);
  });
  afterEach(() => cluster.close());

  /** Detections whose callbacks have started at least once. */
  const distinct = () => new Set(cluster.delivered.map(({ detectionId }) => detectionId)).size;

  /** A master that gives all partitions to one process. */
  async function masterFor(owner: string, ...others: string[]) {
    const master = cluster.master({ options: { partitions: 8 } });
    master.router.setMembers([owner, ...others], idle(...others));
    await master.router.start();
    await until(async () => (await cluster.owners()).every((each) => each === owner));
    return master;
  }

  it.each([0, 5])(
    'delivers everything in order after SIGKILL under load (callbacks of %i ms)',
    async (callbackTime) => {
      const victim = await cluster.child('victim', callbackTime);
      await cluster.process('successor');
      const { router, events } = await masterFor('victim', 'successor');
      let sent = 0;
      const send = () => {
        for (const n of upTo(10)) cluster.send(router, 'w', `d${n};c`);
        sent += 10;
      };
      await until(() => {
        send();
        return distinct() > 100;
      });
      await victim.kill();
      for (let i = 0; i < 20; i++) {
        send();
        await sleep(2);
      }
      router.setMembers(['successor']);
      for (let i = 0; i < 50; i++) {
        send();
        await sleep(2);
      }
      await until(
        () => distinct() === sent && router.stats().buffered === 0,
        () => [router.stats(), events, sent, distinct()],
      );
      await until(async () => (await cluster.backlog()) === 0);
      expect(orderProblems(cluster.delivered)).toEqual([]);
      // The window of unconfirmed acknowledgements, and one running callback per subscription.
      expect(cluster.delivered.length - sent).toBeLessThanOrEqual(64 + 10);
      expect(router.stats()).toMatchObject({ accepted: sent, dropped: 0, bufferDropped: 0, discarded: 0 });
    },
  );

  it('keeps a frozen owner from working after it resumes, and aborts the signal of its callback', async () => {
    const frozen = await cluster.child('frozen', 0);
    await cluster.process('successor');
    const { router } = await masterFor('frozen', 'successor');
    const held = cluster.send(router, 'w', 'd0;c', { hold: true });
    for (let i = 0; i < 20; i++) cluster.send(router, 'w', 'd0;c');
    await until(() => cluster.delivered.length === 1);
    frozen.freeze();
    router.setMembers(['successor']);
    await until(() => cluster.deliveredTo('successor').length === 21);
    const last = cluster.deliveredTo('successor').at(-1)!.at;
    frozen.thaw();
    await until(() => frozen.aborted.has(held));
    expect(frozen.aborted.get(held)).toBeGreaterThan(last);
    for (const n of upTo(10)) cluster.send(router, 'w', `d${n};c`);
    await until(() => distinct() === 31);
    await until(async () => (await cluster.backlog()) === 0);
    expect(cluster.deliveredTo('frozen').map(({ n }) => n)).toEqual([0]);
    expect(cluster.deliveredTo('successor')[0]).toMatchObject({ n: 0, redelivered: true });
    expect(orderProblems(cluster.delivered)).toEqual([]);
  });

  it('aborts the callbacks of a live process that is considered dead before the next owner starts any', async () => {
    let aborted = Infinity;
    await cluster.process('a', {}, (_, signal) => {
      signal.addEventListener('abort', () => (aborted = startInstant()));
      return new Promise(() => undefined);
    });
    await cluster.process('b');
    const { router } = await masterFor('a', 'b');
    for (let i = 0; i < 5; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    router.setMembers(['b']);
    await until(() => cluster.deliveredTo('b').length === 5);
    expect(cluster.deliveredTo('a')).toHaveLength(1);
    expect(aborted).toBeLessThan(cluster.deliveredTo('b')[0]!.at);
    expect(cluster.deliveredTo('b').map(({ n, redelivered }) => [n, redelivered])).toEqual(
      upTo(5).map((n) => [n, true]),
    );
  });

  it('delivers everything in order when the master dies with it, and the next owner dies too', async () => {
    const a = await cluster.process('a', {}, slow);
    const first = await masterFor('a');
    for (let i = 0; i < 50; i++) for (const n of upTo(4)) cluster.send(first.router, 'w', `d${n};c`);
    await until(() => cluster.delivered.length > 20 && first.router.stats().buffered === 0);
    a.crash();
    first.router.close();
    const b = await cluster.process('b', {}, slow);
    const second = await masterFor('b');
    for (let i = 0; i < 50; i++) for (const n of upTo(4)) cluster.send(second.router, 'w', `d${n};c`);
    await until(() => cluster.deliveredTo('b').length > 20 && second.router.stats().buffered === 0);
    b.crash();
    second.router.close();
    await cluster.process('c');
    await masterFor('c');
    await until(() => distinct() === 400);
    await until(async () => (await cluster.backlog()) === 0);
    expect(orderProblems(cluster.delivered)).toEqual([]);
  });

  it('forgets its interests, and lets its listener stream expire', async () => {
    const gone = await cluster.process('gone');
    await cluster.process('owner');
    const { router } = await masterFor('owner', 'gone');
    gone.listeners.add('d;c', () => undefined);
    await cluster.announced(gone);
    gone.crash();
    const listenerStream = cluster.keys.slave('gone');
    for (let i = 0; i < 10; i++) cluster.send(router, 'w', 'd;c');
    await until(() => cluster.delivered.length === 10 && router.stats().buffered === 0);
    expect(await cluster.redis.xlen(listenerStream)).toBeGreaterThan(0);
    router.setMembers(['owner']);
    // Its interests still count.
    cluster.send(router, 'w', 'd;c');
    await until(async () => (await cluster.redis.hexists(cluster.keys.interests, 'gone')) === 0);
    await router.readListeners();
    await until(() => cluster.delivered.length === 11 && router.stats().buffered === 0);
    const left = await cluster.redis.xlen(listenerStream);
    cluster.send(router, 'w', 'd;c');
    await until(() => cluster.delivered.length === 12 && router.stats().buffered === 0);
    expect(await cluster.redis.xlen(listenerStream)).toBe(left);
    router.setMembers(['owner']);
    expect(Object.keys(router.stats().logs)).not.toContain(listenerStream);
    const lifetime = await cluster.redis.pttl(listenerStream);
    expect(lifetime).toBeGreaterThan(0);
    expect(lifetime).toBeLessThanOrEqual(LISTENER_LIFETIME);
  });

  it('finds out about a lost owner without a notification', async () => {
    const a = await cluster.process('a');
    await cluster.process('b');
    let members = ['a'];
    const { router } = cluster.master({
      readMembers: () => Promise.resolve(router.setMembers(members)),
      options: { lookInterval: 200 },
    });
    await router.start();
    await cluster.assigned();
    a.crash();
    for (let i = 0; i < 5; i++) cluster.send(router, 'w');
    members = ['b'];
    await until(() => cluster.deliveredTo('b').length === 5);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(5));
  });
});

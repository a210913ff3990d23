import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';
import { RouterCounters } from '../router/router-counters.js';
import { deliveryStats } from '../stats/delivery-stats.js';

jest.setTimeout(30_000);

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

describe.each(servers)('delivery over pub/sub (%s)', (url) => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(url, 'pubsub');
  });
  afterEach(() => cluster.close());

  async function master(owners: string[], alive = owners, workers = ['w']) {
    const { router, events } = cluster.master();
    router.setMembers(owners, alive);
    router.setWorkers(workers);
    await router.start();
    return { router, events };
  }

  it('brings detections to owners and listeners in order, and keeps nothing', async () => {
    await cluster.process('a');
    const b = await cluster.process('b');
    let heard = 0;
    b.listeners.add('w1;camera', () => heard++);
    const { router } = await master(['a'], ['a', 'b'], ['w1', 'w2']);
    await b.registry.announce();
    for (let i = 0; i < 1_000; i++) {
      for (const worker of ['w1', 'w2']) cluster.send(router, worker);
      if (i % 100 === 0) await sleep(1);
    }
    await until(() => cluster.delivered.length === 2_000 && heard === 1_000);
    for (const worker of ['w1', 'w2']) expect(cluster.numbersOf(`${worker};camera`)).toEqual(upTo(1_000));
    expect(cluster.delivered.every(({ processId }) => processId === 'a')).toBe(true);
    // What is published is heard before the answer to the one that published it.
    await until(() => router.stats().buffered === 0);
    expect(router.stats()).toMatchObject({ accepted: 3_000, unheard: 0, buffered: 0, rejected: 0 });
    expect(await cluster.redis.exists(cluster.keys.slave('a'), cluster.keys.slave('b'))).toBe(0);
    expect(b.warnings).toEqual([]);
  });

  it("publishes the document's message", async () => {
    await cluster.process('a');
    const { router } = await master(['a']);
    const subscriber = cluster.redis.duplicate();
    const messages: string[] = [];
    subscriber.on('message', (_, message: string) => void messages.push(message));
    await subscriber.subscribe(cluster.keys.slave('a'));
    const detectionId = cluster.send(router, 'w');
    await until(() => messages.length === 1);
    subscriber.disconnect();
    expect(JSON.parse(messages[0]!)).toMatchObject({
      type: 'detection',
      id: detectionId,
      workerUrl: 'w',
      for: 'owner',
      data: { type: 'imageDetection', subscriptionIdentifier: 'w;camera', data: { detection: { n: 0 } } },
    });
  });

  it('is at most once: what nobody hears, callbacks fail on or cannot keep up with is counted and gone', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const a = await cluster.process('a', { window: 10 }, ({ n }) => {
      if (n === 0) throw new Error('broken');
      return gate;
    });
    const { router } = await master(['a']);
    for (let i = 0; i < 50; i++) cluster.send(router, 'w');
    await until(() => a.consumer.stats().read === 50);
    expect(a.consumer.stats()).toMatchObject({ inWindow: 10, dropped: 40 });
    open!();
    await until(() => a.consumer.stats().handled === 10);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(11));
    await until(() => a.events.some((event) => event.type === 'messages-dropped' && event.count === 39));
    expect(a.events).toContainEqual(expect.objectContaining({ type: 'callback-failed', attempt: 0 }));
    await a.consumer.stop();
    for (let i = 0; i < 5; i++) cluster.send(router, 'w');
    await until(() => router.stats().unheard === 5);
    expect(router.stats()).toMatchObject({ accepted: 50, rejected: 0, buffered: 0 });
    const sent = Object.assign(new RouterCounters(), { unheard: 5 });
    expect(deliveryStats(a.consumer.stats(), sent, 0)).toMatchObject({ out: 10, dropped: 45 });
  });

  it('what a process was to get goes to the next owner once it is lost, and its interests are forgotten', async () => {
    const a = await cluster.process('a');
    await cluster.process('b');
    a.listeners.add('w;camera', () => undefined);
    const { router } = await master(['a'], ['a', 'b']);
    await a.registry.announce();
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    await Promise.all([a.consumer.stop(), a.registry.close()]);
    router.memberLost('a');
    router.setMembers(['b']);
    await until(() => router.stats().assignments.w === 'b');
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 2);
    expect(cluster.delivered[1]).toMatchObject({ processId: 'b', n: 1 });
    await until(async () => (await cluster.redis.hexists(cluster.keys.interests, 'a')) === 0);
  });

  it('a message that is no detection stops nothing', async () => {
    const a = await cluster.process('a');
    const { router } = await master(['a']);
    for (const message of ['{', 'null', '{"type":"detection","for":"owner","data":null}'])
      await cluster.redis.publish(cluster.keys.slave('a'), message);
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    expect(a.events.map(({ type }) => type)).toEqual(upTo(3).map(() => 'message-unreadable'));
  });
});

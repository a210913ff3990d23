import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryHarness, until, upTo } from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(30_000);

const slow = () => sleep(1);

describe('when a living owner gives up a worker', () => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  it('the order is kept and nothing comes twice, under load', async () => {
    await cluster.process('a', {}, slow);
    await cluster.process('b', {}, slow);
    await cluster.process('c', {}, slow);
    const { router, events } = cluster.master();
    const rounds = [['a'], ['b'], ['b', 'c'], ['a', 'b', 'c'], ['c']];
    router.setWorkers(['w1', 'w2', 'w3']);
    router.setMembers(['a'], ['a', 'b', 'c']);
    await router.start();
    let sent = 0;
    for (const owners of rounds) {
      router.setMembers(owners, ['a', 'b', 'c']);
      for (let i = 0; i < 150; i++) {
        for (const worker of ['w1', 'w2', 'w3']) {
          cluster.send(router, worker);
          sent++;
        }
        await sleep(2);
      }
    }
    await until(
      () => cluster.delivered.length >= sent,
      () => [router.stats(), events, cluster.delivered.length],
    );
    for (const worker of ['w1', 'w2', 'w3'])
      expect(cluster.numbersOf(`${worker};camera`)).toEqual(upTo(sent / 3));
    expect(cluster.delivered.some((each) => each.redelivered)).toBe(false);
    await until(() => Object.values(router.stats().assignments).every((owner) => owner === 'c'));
    expect(new Set(cluster.delivered.map(({ processId }) => processId))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('the change is put off while it does not finish, its detections go on, and it is made later', async () => {
    let stuck: (() => void) | undefined;
    await cluster.process('a', {}, ({ subscription }) =>
      subscription === 'stuck;c' ? new Promise<void>((resolve) => (stuck = resolve)) : undefined,
    );
    await cluster.process('b');
    const { router, events } = cluster.master({ options: { drainTimeout: 100, drainRetry: 200 } });
    router.setMembers(['a'], ['a', 'b']);
    router.setWorkers(['w']);
    await router.start();
    cluster.send(router, 'w', 'stuck;c');
    await until(() => stuck !== undefined);
    router.setMembers(['b'], ['a', 'b']);
    cluster.send(router, 'w', 'free;c');
    await until(() => events.some(({ type }) => type === 'owner-change-postponed'));
    await until(() => cluster.delivered.length === 2);
    expect(cluster.delivered[1]).toMatchObject({ processId: 'a', subscription: 'free;c' });
    expect(router.stats().assignments).toEqual({ w: 'a' });
    stuck!();
    await until(() => router.stats().assignments.w === 'b');
    cluster.send(router, 'w', 'free;c');
    await until(() => cluster.delivered.length === 3);
    expect(cluster.delivered[2]).toMatchObject({ processId: 'b' });
  });

  it('the assignments are written before they hold, and the next master keeps them', async () => {
    await cluster.process('a');
    await cluster.process('b');
    const first = cluster.master();
    first.router.setMembers(['a', 'b']);
    first.router.setWorkers(['w1', 'w2', 'w3', 'w4']);
    await first.router.start();
    await until(() => Object.keys(first.router.stats().assignments).length === 4);
    const { assignments } = first.router.stats();
    expect(await cluster.redis.hgetall(cluster.keys.assignments)).toEqual(assignments);
    await first.router.close();
    const second = cluster.master();
    second.router.setMembers(['b', 'a']);
    second.router.setWorkers(['w4', 'w3', 'w2', 'w1']);
    await second.router.start();
    cluster.send(second.router, 'w1');
    await until(() => cluster.delivered.length === 1);
    expect(second.router.stats().assignments).toEqual(assignments);
    expect(second.persisted).toEqual([]);
  });
});

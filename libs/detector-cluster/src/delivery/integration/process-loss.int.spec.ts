import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  DeliveryHarness,
  until,
  upTo,
  type Delivered,
  type TestRouter,
} from '../../../../../test/support/delivery-harness.js';

jest.setTimeout(30_000);

const servers = [process.env.REDIS_URL!, process.env.REDIS8_URL ?? []].flat();

/** A callback that does not return. */
const stuck = () => sleep(60_000, undefined, { ref: false });

/** Looks in every turn of the event loop: on a fast machine all of it takes less than a pause of `until`. */
async function stopWhileRerouting({ router }: TestRouter): Promise<void> {
  while (router.stats().rerouted < 20) await new Promise(setImmediate);
  await router.close();
}

describe.each(servers)('when a process dies (%s)', (url) => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(url);
  });
  afterEach(() => cluster.close());

  /** Each subscription's numbers at one process never go back. */
  function expectOrder(processId: string): void {
    const last = new Map<string, number>();
    for (const { subscription, n } of cluster.delivered.filter((each) => each.processId === processId)) {
      expect(n).toBeGreaterThan(last.get(subscription) ?? -1);
      last.set(subscription, n);
    }
  }

  it.each([0, 5])(
    'its entries reach the new owner in order, none is lost (callbacks of %i ms)',
    async (time) => {
      const victim = await cluster.child('victim', time);
      await cluster.process('heir');
      const { router, events } = cluster.master({ options: { drainRetry: 60_000 } });
      router.setMembers(['victim']);
      router.setWorkers(['w1', 'w2']);
      await router.start();
      const sent = new Set<string>();
      const send = () => {
        for (const worker of ['w1', 'w2'])
          for (const i of upTo(5)) sent.add(cluster.send(router, worker, `${worker}-${i};c`));
      };
      for (let i = 0; i < 100; i++) {
        send();
        await sleep(2);
        if (i === 50) {
          victim.kill('SIGKILL');
          // Noticed a little later, as in life.
          setTimeout(() => {
            router.memberLost('victim');
            router.setMembers(['heir']);
          }, 50);
        }
      }
      await until(
        () => new Set(cluster.delivered.map(({ detectionId }) => detectionId)).size === sent.size,
        () => [router.stats(), events],
      );
      await until(async () => (await cluster.redis.xlen(cluster.keys.slave('heir'))) === 0);
      expect(router.stats()).toMatchObject({
        accepted: sent.size,
        dropped: 0,
        bufferDropped: 0,
        discarded: 0,
      });
      expectOrder('victim');
      expectOrder('heir');
      const byVictim = new Set(
        cluster.delivered.filter((each) => each.processId === 'victim').map((each) => each.detectionId),
      );
      const twice = cluster.delivered.filter(
        (each) => each.processId === 'heir' && byVictim.has(each.detectionId),
      );
      expect(twice.length).toBeLessThanOrEqual(64);
      expect(twice.every((each: Delivered) => each.redelivered)).toBe(true);
      expect(byVictim.size).toBeGreaterThan(0);
      expect(await cluster.redis.exists(cluster.keys.slave('victim'))).toBe(0);
      expect(await cluster.redis.zscore(cluster.keys.streams, 'victim')).toBeNull();
    },
  );

  it('each of its entries goes to the new owner of its worker, whatever is in the URL', async () => {
    const urls = ['w', 'w,"data":{}', 'w","for":"listener', 'w\\', 'w\\",', '\u00fc\u{1f697}', ']]{"'];
    const victim = await cluster.process('victim');
    const { router } = cluster.master();
    router.setMembers(['victim']);
    router.setWorkers(urls);
    await router.start();
    await until(() => Object.keys(router.stats().assignments).length === urls.length);
    await victim.consumer.stop();
    for (const url of urls) for (let i = 0; i < 3; i++) cluster.send(router, url);
    await until(() => router.stats().accepted === 3 * urls.length);
    for (const heir of ['heir-1', 'heir-2', 'heir-3']) await cluster.process(heir);
    router.setMembers(['heir-1', 'heir-2', 'heir-3']);
    await until(() => cluster.delivered.length === 3 * urls.length);
    const { assignments } = router.stats();
    expect(new Set(Object.values(assignments)).size).toBe(3);
    expect(
      cluster.delivered.map(({ processId, subscription }) => [subscription, processId]).toSorted(),
    ).toEqual(urls.flatMap((url) => upTo(3).map(() => [`${url};camera`, assignments[url]])).toSorted());
  });

  it('entries for its listeners go with it, and so does its interest', async () => {
    const gone = await cluster.process('gone');
    await cluster.process('owner');
    gone.listeners.add('d;c', () => undefined);
    const { router, events } = cluster.master();
    router.setMembers(['owner'], ['owner', 'gone']);
    router.setWorkers(['w']);
    await router.start();
    await gone.registry.announce();
    await Promise.all([gone.consumer.stop(), gone.registry.close()]);
    for (let i = 0; i < 10; i++) cluster.send(router, 'w', 'd;c');
    await until(() => cluster.delivered.length === 10 && router.stats().buffered === 0);
    router.memberLost('gone');
    await until(() => events.some(({ type }) => type === 'rerouted'));
    expect(events).toContainEqual({
      type: 'rerouted',
      processId: 'gone',
      moved: 0,
      listenerEntriesDiscarded: 10,
    });
    expect(await cluster.redis.hexists(cluster.keys.interests, 'gone')).toBe(0);
    cluster.send(router, 'w', 'd;c');
    await until(() => cluster.delivered.length === 11);
    expect(await cluster.redis.exists(cluster.keys.slave('gone'))).toBe(0);
  });

  /** What the heir has got has to wait for its callback; resolves with how many entries the victim still has. */
  const dieWhileMoving = async (callbackTime = 0): Promise<number> => {
    const victim = await cluster.process('victim', { window: 1, stopDeadline: 100 }, stuck);
    await cluster.process('heir', {}, () => sleep(callbackTime));
    const first = cluster.master({ options: { rerouteBatch: 10, batchEntries: 1_000 } });
    first.router.setMembers(['victim']);
    first.router.setWorkers(['w']);
    await first.router.start();
    for (let i = 0; i < 500; i++) cluster.send(first.router, 'w');
    await until(() => first.router.stats().accepted === 500);
    await victim.consumer.stop().catch(() => undefined);
    first.router.setMembers(['heir']);
    await stopWhileRerouting(first);
    return cluster.redis.xlen(cluster.keys.slave('victim'));
  };
  const afterVictim = () => cluster.delivered.filter(({ processId }) => processId !== 'victim');

  it('the next master goes on where one died in the middle of moving its entries', async () => {
    const left = await dieWhileMoving();
    const second = cluster.master();
    second.router.setMembers(['heir']);
    second.router.setWorkers(['w']);
    for (let i = 0; i < 100; i++) cluster.send(second.router, 'w');
    await second.router.start();
    await until(() => afterVictim().length === 600);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(500);
    expect(afterVictim().map(({ n }) => n)).toEqual(upTo(600));
    expect(afterVictim().map((each) => each.redelivered)).toEqual([
      ...upTo(500).map(() => true),
      ...upTo(100).map(() => false),
    ]);
  });

  it('what comes just when the next master begins waits for what the last one has not moved', async () => {
    const left = await dieWhileMoving();
    const second = cluster.master();
    second.router.setMembers(['heir']);
    // A worker that is new has it write the owners down first.
    second.router.setWorkers(['w', 'v']);
    await second.router.start();
    for (let i = 0; i < 100; i++) {
      cluster.send(second.router, 'w');
      await sleep(1);
    }
    await until(() => afterVictim().length === 600);
    expect(left).toBeGreaterThan(0);
    expect(afterVictim().map(({ n }) => n)).toEqual(upTo(600));
  });

  it('an heir that is the next master gets the rest, and has finished when its workers go to another', async () => {
    const left = await dieWhileMoving(1);
    await cluster.process('other');
    const second = cluster.master({ processId: 'heir', options: { drainTimeout: 20_000 } });
    second.router.setMembers(['other']);
    second.router.setWorkers(['w']);
    await second.router.start();
    await until(() => second.router.stats().assignments.w === 'other');
    for (let i = 0; i < 100; i++) cluster.send(second.router, 'w');
    await until(() => afterVictim().length === 600);
    expect(left).toBeGreaterThan(0);
    expect(afterVictim().map(({ processId, n }) => [processId, n])).toEqual([
      ...upTo(500).map((n) => ['heir', n]),
      ...upTo(100).map((n) => ['other', 500 + n]),
    ]);
    expect(second.events.map(({ type }) => type)).not.toContain('stream-missing');
  });

  it('an heir that dies in the middle of inheriting, and the master with it: the next heir gets all in order', async () => {
    const [victim, heir] = [
      await cluster.process('victim', { window: 1, stopDeadline: 100 }, stuck),
      await cluster.process('heir', { window: 1, stopDeadline: 100 }, stuck),
    ];
    await cluster.process('last');
    const first = cluster.master({ options: { rerouteBatch: 10, batchEntries: 1_000 } });
    first.router.setMembers(['victim']);
    first.router.setWorkers(['w']);
    await first.router.start();
    for (let i = 0; i < 500; i++) cluster.send(first.router, 'w');
    await until(() => first.router.stats().accepted === 500);
    await victim.consumer.stop();
    first.router.setMembers(['heir']);
    await stopWhileRerouting(first);
    await heir.consumer.stop();
    const left = await cluster.redis.xlen(cluster.keys.slave('victim'));

    const second = cluster.master();
    second.router.setMembers(['last']);
    second.router.setWorkers(['w']);
    await second.router.start();
    const byLast = () => cluster.delivered.filter((each) => each.processId === 'last');
    await until(() => byLast().length === 500);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(500);
    expect(byLast().map(({ n }) => n)).toEqual(upTo(500));
  });

  it('a process without a stream counts as lost after the grace, and owns again when it has one', async () => {
    await cluster.process('a');
    const b = await cluster.process('b');
    const { router, events } = cluster.master({ options: { missingStreamGrace: 200 } });
    router.setMembers(['b', 'a']);
    router.setWorkers(['w']);
    await router.start();
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    await b.consumer.stop();
    await cluster.redis.del(cluster.keys.slave('b'));
    for (let i = 0; i < 10; i++) cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 11);
    expect(events).toContainEqual({ type: 'stream-missing', processId: 'b' });
    expect(cluster.delivered.slice(1).every((each) => each.processId === 'a')).toBe(true);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(11));
    await cluster.process('b');
    router.setWorkers(['w', 'v', 'u']);
    await until(() => Object.values(router.stats().assignments).includes('b'));
  });

  it('a process that joins while a master begins is not taken for a dead one', async () => {
    await cluster.process('a');
    const b = await cluster.process('b');
    const heard: string[] = [];
    b.listeners.add('w;c', (_detection, { detectionId }) => void heard.push(detectionId));
    const { router, events } = cluster.master({
      // Those that were known before the streams were read are not all.
      readMembers: () => Promise.resolve(router.setMembers(['a', 'b'])),
    });
    router.setMembers(['a']);
    router.setWorkers(['w', 'v']);
    await router.start();
    await b.registry.announce();
    for (let i = 0; i < 20; i++) cluster.send(router, i % 2 === 0 ? 'w' : 'v', 'w;c');
    await until(() => heard.length === 20);
    expect([b.events, b.warnings, events.filter(({ type }) => type !== 'owner-changed')]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('a process that goes while a master begins, and of which nobody tells, is found to be gone', async () => {
    const a = await cluster.process('a');
    await cluster.process('b');
    const first = cluster.master();
    first.router.setMembers(['a']);
    first.router.setWorkers(['w']);
    await first.router.start();
    await a.consumer.stop();
    for (let i = 0; i < 5; i++) cluster.send(first.router, 'w');
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 5);
    await first.router.close();
    let members = ['a', 'b'];
    const { router } = cluster.master({
      readMembers: () => Promise.resolve(router.setMembers(members)),
      options: { lookInterval: 200 },
    });
    router.setWorkers(['w']);
    await router.start();
    members = ['b'];
    await until(() => cluster.delivered.length === 5);
    expect(cluster.delivered.every(({ processId }) => processId === 'b')).toBe(true);
    expect(cluster.numbersOf('w;camera')).toEqual(upTo(5));
  });

  it('a process that was only thought dead makes its stream anew and goes on', async () => {
    const a = await cluster.process('a');
    await cluster.process('b');
    const { router } = cluster.master();
    router.setMembers(['a']);
    router.setWorkers(['w']);
    await router.start();
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 1);
    // Else it is moved to the other one and delivered again.
    await until(async () => (await cluster.redis.xlen(cluster.keys.slave('a'))) === 0);
    router.memberLost('a');
    router.setMembers(['b']);
    await until(() => a.events.some(({ type }) => type === 'stream-recreated'));
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 2);
    router.setMembers(['a']);
    await until(() => router.stats().assignments.w === 'a');
    cluster.send(router, 'w');
    await until(() => cluster.delivered.length === 3);
    expect(cluster.delivered.map(({ processId }) => processId)).toEqual(['a', 'b', 'a']);
  });
});

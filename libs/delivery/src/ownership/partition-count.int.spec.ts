import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryHarness, upTo } from '../../../../test/support/delivery-harness.js';
import { until } from '../../../../test/support/until.js';
import { orderProblems } from '../../../../test/support/delivery-order.js';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

describe('the number of partitions', () => {
  let cluster: DeliveryHarness;

  beforeEach(() => {
    cluster = new DeliveryHarness(process.env.REDIS_URL!);
  });
  afterEach(() => cluster.close());

  async function master(partitions: number, owners: readonly string[]) {
    const running = cluster.master({ options: { partitions, lookInterval: 50 } });
    running.router.setMembers(owners);
    await running.router.start();
    return running;
  }
  const count = () => cluster.redis.hget(cluster.keys.partitions, 'count');
  const sendRound = (router: Awaited<ReturnType<typeof master>>['router']) => {
    for (const n of upTo(20)) cluster.send(router, 'w', `d${n};c`);
  };

  it.each([
    [4, 16],
    [16, 4],
  ])('changes from %i to %i when all partitions are empty, and not before', async (from, to) => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    await cluster.process('a', {}, () => gate);
    const first = await master(from, ['a']);
    sendRound(first.router);
    await until(() => first.router.stats().accepted === 20);
    first.router.close();

    const second = await master(to, ['a']);
    expect(second.events).toContainEqual({ type: 'partitions-pending', wanted: to, present: from });
    // Each attempt at the change pauses appending, then lets it continue.
    for (let i = 0; i < 5; i++) {
      sendRound(second.router);
      await sleep(100);
    }
    await until(() => second.router.stats().accepted === 100);
    expect([await count(), second.router.stats().partitions]).toEqual([String(from), from]);
    open!();
    const changed = () => second.events.find(({ type }) => type === 'partitions-changed');
    await until(() => changed() !== undefined);
    expect(changed()).toEqual({ type: 'partitions-changed', from, to });
    expect(await count()).toBe(String(to));
    sendRound(second.router);
    await until(() => cluster.delivered.length === 140);
    await until(async () => (await cluster.backlog()) === 0);
    for (const n of upTo(20)) expect(cluster.numbersOf(`d${n};c`)).toEqual(upTo(7));
    expect(cluster.delivered.some(({ redelivered }) => redelivered)).toBe(false);
  });

  it('changes under a light load without loss, repetition or disorder', async () => {
    await cluster.process('a', {}, () => sleep(1));
    await cluster.process('b', {}, () => sleep(1));
    const first = await master(4, ['a', 'b']);
    sendRound(first.router);
    await until(() => cluster.delivered.length === 20);
    first.router.close();
    const second = await master(16, ['a', 'b']);
    let rounds = 1;
    await until(() => {
      sendRound(second.router);
      rounds++;
      return second.router.stats().partitions === 16;
    });
    for (let i = 0; i < 50; i++, rounds++) sendRound(second.router);
    await until(() => cluster.delivered.length === 20 * rounds);
    expect(orderProblems(cluster.delivered)).toEqual([]);
    expect(cluster.delivered.some(({ redelivered }) => redelivered)).toBe(false);
  });
});

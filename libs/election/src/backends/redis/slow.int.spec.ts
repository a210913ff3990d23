import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { ElectionGroup, type GroupMember } from '../../test-support/election-group.js';
import { untilElectable } from '../../test-support/until-electable.js';
import { eventually } from '../../testing/eventually.js';
import { watchStandstill } from '../../testing/watch-standstill.js';

/** The leader keeps its lease while a busy machine lets its process stand still for two seconds. */
const TIMING = { lockTtl: 4_000, heartbeatInterval: 400, checkInterval: 300 };

describe('an election on a server that answers slowly', () => {
  const url = process.env.REDIS_URL!;
  let proxy: TcpProxy;
  let group: ElectionGroup;
  let slow: GroupMember;

  beforeAll(() => untilElectable(url, TIMING.lockTtl), 30_000);
  beforeEach(async () => {
    proxy = await TcpProxy.to(url);
    const proxied = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) });
    group = new ElectionGroup();
    slow = group.join(proxied.href, TIMING);
    await group.leader(10_000);
  }, 20_000);
  afterEach(async () => {
    const problems = await group.close();
    await proxy.stop();
    expect(problems).toEqual([]);
  });

  it('keeps its leader when each answer takes a tenth of a second', async () => {
    const { lease } = slow.elector;
    const standstill = watchStandstill();
    proxy.delay = 100;
    await sleep(TIMING.lockTtl * 2);
    expect(slow.elector.lease).toBe(lease);
    expect(slow.events).toHaveLength(1);
    if (!standstill.end()) expect(slow.errors).toEqual([]);
  }, 20_000);

  it('gives a call up before the lease ends, and leads again when answers come in time', async () => {
    const other = group.join(url, TIMING);
    await group.followers(5_000);
    const lease = slow.elector.lease!;
    proxy.delay = TIMING.lockTtl * 2;
    await eventually('a timeout', TIMING.lockTtl, () => slow.codes.has('TIMEOUT'));
    expect(lease.signal.aborted).toBe(false);
    await eventually('no longer valid', TIMING.lockTtl, () => !lease.isValid());
    await eventually('lost', TIMING.lockTtl * 2, () => lease.signal.aborted);
    await group.leader(10_000, [other]);
    expect(other.elector.term).toBeGreaterThan(lease.term);

    proxy.delay = 0;
    await eventually('follows', 10_000, () => slow.elector.leaderId === other.id);
    await other.elector.stop();
    expect((await group.leader(10_000, [slow])).elector.term).toBeGreaterThan(lease.term);
  }, 40_000);
});

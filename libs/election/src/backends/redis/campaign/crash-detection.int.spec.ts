import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { isLate } from '../../../test-support/redis-harness.js';
import type { ElectionBackend } from '../../../contract/election-backend.js';
import { withCampaign } from '../../../contract/with-campaign.js';
import { untilElectable } from '../../../test-support/until-electable.js';
import { checkHistory } from '../../../testing/check-history.js';
import { eventually } from '../../../testing/eventually.js';
import { Participant } from '../../../testing/participant.js';
import { electionKeys, type ElectionKeys } from '../election-keys.js';
import { RedisElectionBackend } from '../redis-election-backend.js';
import type { RedisElectionOptions } from '../redis-election-options.js';
import { PresenceConnection } from './presence-connection.js';

/** Far below the lease, so that no result here comes from an expired lease. */
const WELL_BEFORE_EXPIRY = 10_000;

/** For leases that rest on time, which a server does not grant before it has been up for longer. */
const TIMED = { lockTtl: 4_000, heartbeatInterval: 1_000, checkInterval: 500 };

const leads = (participant: Participant, within = WELL_BEFORE_EXPIRY) =>
  eventually('leads', within, () => participant.leads);
const leaderAmong = (participants: readonly Participant[]) =>
  eventually('a leader', WELL_BEFORE_EXPIRY, () => participants.find((one) => one.leads));
const follows = (participant: Participant, leader: Participant) =>
  eventually('follows', WELL_BEFORE_EXPIRY, () => participant.elector.leaderId === leader.id);
/** Followers count no absence in their first two seconds. */
const settled = () => sleep(2_200);

describe('crash detection by presence, at the default lease of 30 s', () => {
  let server: RedisService;
  let admin: Redis;
  let keys: ElectionKeys;
  let lockName: string;
  let participants: Participant[];
  let proxies: TcpProxy[];
  /** Who has reported which leader to be absent. */
  let absent: Set<string>;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url);
    admin.on('error', () => undefined);
    await untilElectable(server.url, 1_000);
  }, 60_000);
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  beforeEach(() => {
    lockName = `election-${randomUUID()}`;
    keys = electionKeys(lockName);
    [participants, proxies, absent] = [[], [], new Set()];
  });
  afterEach(async () => {
    await Promise.all(participants.map(({ elector }) => elector.stop()));
    await Promise.all(participants.map(({ backend }) => backend.close()));
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    expect(checkHistory(participants.flatMap(({ grants }) => grants))).toEqual([]);
  });

  const join = (options: Partial<RedisElectionOptions> = {}, id?: string) => {
    const backend = new RedisElectionBackend({ redis: server.url, lockName, ...options });
    const noteAbsent = async function* (...[candidate, signal]: Parameters<ElectionBackend['campaign']>) {
      for await (const state of backend.campaign(candidate, signal)) {
        if (state.role === 'follower' && state.absent) absent.add(`${candidate.id} ${state.leaderId}`);
        yield state;
      }
    };
    const participant = new Participant(withCampaign(backend, noteAbsent), { id });
    participants.push(participant);
    participant.elector.start();
    return participant;
  };
  const cutPresence = async ({ id }: Participant) => {
    const clients = (await admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub')) as string;
    const line = clients
      .split('\n')
      .find((client) => client.includes(` name=election:presence:${keys.presence}${id} `));
    if (line) await admin.client('KILL', 'ID', Number(/^id=(\d+)/.exec(line)![1]));
  };

  it('replaces a leader whose connections have ended, long before its lease does', async () => {
    const proxy = await TcpProxy.to(server.port);
    proxies.push(proxy);
    const leader = join({ redis: `redis://127.0.0.1:${proxy.port}` });
    await leads(leader);
    const others = [join(), join()];
    await Promise.all(others.map((other) => follows(other, leader)));
    await settled();
    const { term } = leader.elector;
    expect(await admin.hget(keys.lease, 'mode')).toBe('presence');

    expect([...absent]).toEqual([]);
    await proxy.stop();
    const next = await leaderAmong(others);
    expect([...absent]).toContain(`${next.id} ${leader.id}`);
    expect(next.elector.term).toBeGreaterThan(term);
    expect(next.events).toEqual([`acquired ${next.elector.term}`]);
    await eventually('the old one knows that it may not act', 1_000, () => !leader.leads);
  }, 60_000);

  it('does not replace a leader whose presence connection reconnects', async () => {
    const leader = join();
    await leads(leader);
    const follower = join();
    await follows(follower, leader);
    await settled();
    const { term } = leader.elector;
    for (let blink = 0; blink < 5; blink++) {
      await cutPresence(leader);
      await sleep(300);
    }
    await leads(leader);
    expect(leader.elector.term).toBe(term);
    expect(follower.events).toEqual([]);
  }, 60_000);

  it('suspends and then replaces a leader that cannot be seen any more though it lives', async () => {
    const proxy = await TcpProxy.to(server.port);
    proxies.push(proxy);
    const id = `candidate:${randomUUID()}`;
    const presence = new PresenceConnection(`redis://127.0.0.1:${proxy.port}`, keys.presence, id);
    const leader = join({ presence }, id);
    await leads(leader);
    const follower = join();
    await follows(follower, leader);
    await settled();
    const events: string[] = [];
    leader.elector.on('suspended', () => events.push('suspended'));
    leader.elector.on('error', (error) => events.push(error.name));

    await proxy.stop();
    await leads(follower);
    await follows(leader, follower);
    expect(events.slice(0, 2).sort()).toEqual(['PresenceUnseenError', 'suspended']);
    expect(leader.events.at(-1)).toMatch(/^lost (refused|unconfirmed)$/);
    expect(follower.events).toHaveLength(1);
    presence.close();
  }, 60_000);

  it('lets one of two processes with the same id lead, and informs the other', async () => {
    const proxy = await TcpProxy.to(server.port);
    proxies.push(proxy);
    const leader = join({ redis: `redis://127.0.0.1:${proxy.port}` }, 'namesake');
    await leads(leader);
    const { term } = leader.elector;
    const other = join({}, 'namesake');
    const errors: Error[] = [];
    other.elector.on('error', (error) => isLate(error) || errors.push(error));
    await eventually('an error', WELL_BEFORE_EXPIRY, () => errors.length > 0);
    await sleep(3_000);
    expect(errors.map(({ name }) => name)).toEqual(['DuplicateCandidateError']);
    expect(errors[0]).toMatchObject({ code: 'DUPLICATE_CANDIDATE', candidateId: 'namesake' });
    await leads(leader);
    expect([leader.elector.term, other.events]).toEqual([term, []]);

    await proxy.stop();
    await leads(other);
    expect(other.elector.term).toBeGreaterThan(term);
    await eventually('the first knows that it may not act', 1_000, () => !leader.leads);
  }, 60_000);

  it('raises the term when a process is killed and starts again with the same id', async () => {
    const proxy = await TcpProxy.to(server.port);
    proxies.push(proxy);
    const killed = join({ redis: `redis://127.0.0.1:${proxy.port}` }, 'phoenix');
    await leads(killed);
    const { term } = killed.elector;
    await proxy.stop();
    const again = join({}, 'phoenix');
    const errors: Error[] = [];
    again.elector.on('error', (error) => isLate(error) || errors.push(error));
    await leads(again);
    expect(again.elector.term).toBeGreaterThan(term);
    expect(errors).toEqual([]);
  }, 60_000);

  it('refuses to campaign with the presence of another candidate', async () => {
    const presence = new PresenceConnection(server.url, keys.presence, 'one');
    const backend = new RedisElectionBackend({ redis: server.url, lockName, presence });
    const states = backend.campaign({ id: 'another' }, new AbortController().signal);
    await expect(states.next()).rejects.toThrow("shows 'one', so that 'another' cannot campaign with it");
    await backend.close();
    presence.close();
  });

  it('does not replace a leader whose lease rests on time, though it cannot be seen', async () => {
    const leader = join({ crashDetection: 'lease', ...TIMED });
    await leads(leader, 20_000);
    expect(await admin.hget(keys.lease, 'mode')).toBe('lease');
    const follower = join();
    await follows(follower, leader);
    await settled();
    await sleep(2_000);
    await leads(leader);
    expect(follower.events).toEqual([]);
  }, 60_000);

  it('lets a lease rest on presence when its leader is seen later, in the same term', async () => {
    const id = `candidate:${randomUUID()}`;
    await untilElectable(server.url, TIMED.lockTtl);
    const presence = new PresenceConnection(server.url, keys.presence, id);
    presence.leave();
    const warnings: string[] = [];
    // The campaign calls it back; a process that has lost its way to be seen does not come.
    presence.comeBack = () => undefined;
    const onWarning = (message: string) => warnings.push(message);
    const participant = join({ presence, onWarning, ...TIMED }, id);
    await leads(participant);
    expect(await admin.hget(keys.lease, 'mode')).toBe('lease');
    expect(warnings).toEqual([expect.stringContaining('does not see the presence connection')]);
    const { lease } = participant.elector;

    Reflect.deleteProperty(presence, 'comeBack');
    presence.comeBack();
    await eventually('rests on presence', WELL_BEFORE_EXPIRY, async () => {
      return (await admin.hget(keys.lease, 'mode')) === 'presence';
    });
    await leads(participant);
    expect(participant.elector.lease).toBe(lease);
    expect(warnings).toHaveLength(1);
    presence.close();
  }, 90_000);

  it('keeps its leader, and sees every process, after a failover that moves an address to a replica', async () => {
    const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', String(server.port)] });
    const replicaAdmin = new Redis(replica.url);
    replicaAdmin.on('error', () => undefined);
    try {
      let { port } = server;
      const proxy = await TcpProxy.start({ targets: () => [{ port }] });
      proxies.push(proxy);
      const redis = `redis://127.0.0.1:${proxy.port}`;
      const leader = join({ redis });
      await leads(leader);
      const follower = join({ redis });
      await follows(follower, leader);
      await eventually('replicated', 30_000, async () => (await replicaAdmin.exists(keys.lease)) === 1);
      await settled();
      const { term } = leader.elector;

      port = replica.port;
      await replicaAdmin.replicaof('NO', 'ONE');
      await admin.replicaof('127.0.0.1', replica.port);
      const channels = participants.map(({ id }) => keys.presence + id);
      const numsub = async (redis: Redis) =>
        ((await redis.pubsub('NUMSUB', ...channels)) as unknown[]).filter(Number);
      await eventually('all are seen', 5_000, async () => (await numsub(replicaAdmin)).join() === '1,1');
      expect(await numsub(admin)).toEqual([]);
      await settled();
      await leads(leader);
      expect([leader.elector.term, leader.events, follower.events]).toEqual([term, [`acquired ${term}`], []]);
    } finally {
      await admin.replicaof('NO', 'ONE');
      replicaAdmin.disconnect();
      await replica.stop();
    }
  }, 60_000);

  it('elects 2 s after a restart that lost everything, and not before', async () => {
    const leader = join();
    await leads(leader);
    const follower = join();
    await follows(follower, leader);
    const { term } = leader.elector;
    await server.kill();
    // Before the server starts: this process may stand still when it has.
    const began = performance.now();
    await server.start();
    const next = await eventually('a later term', WELL_BEFORE_EXPIRY, () =>
      participants.find((one) => one.leads && one.elector.term > term),
    );
    // The server counts whole seconds.
    expect(performance.now() - began).toBeGreaterThan(1_000);
    await eventually('all agree', 5_000, () =>
      participants.every(({ elector }) => elector.leaderId === next.id && elector.term === next.elector.term),
    );
  }, 60_000);
});

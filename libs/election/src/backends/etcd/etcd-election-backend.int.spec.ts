import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEtcd, startEtcdCluster, type GuardedServer } from '@detector-cluster/dev-services';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ETCD_LONG_LEASE, ETCD_TIMING } from '../../test-support/etcd-harness.js';
import { checkHistory } from '../../testing/check-history.js';
import { eventually } from '../../testing/eventually.js';
import { Participant } from '../../testing/participant.js';
import { EtcdConnection, type EtcdSource } from './etcd-connection.js';
import type { EtcdError } from './etcd.error.js';
import { etcdElectionKeys } from './etcd-election-keys.js';
import { EtcdElectionBackend } from './etcd-election-backend.js';

/** For what happens soon, on machines that are busy. Milliseconds. */
const TIMEOUT = 15_000;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const bytes = (text: string) => Buffer.from(text);

let lockName: string;
let participants: Participant[];
let errors: EtcdError[];
let reasons: string[];

beforeEach(() => {
  lockName = `election-${randomUUID()}`;
  [participants, errors, reasons] = [[], [], []];
});
const leave = async () => {
  await Promise.all(participants.map(({ elector }) => elector.stop()));
  await Promise.all(participants.map(({ backend }) => backend.close()));
  return checkHistory(participants.splice(0).flatMap(({ grants }) => grants));
};
afterEach(async () => {
  expect(await leave()).toEqual([]);
});

const enter = (etcd: EtcdSource, timing = ETCD_TIMING): Participant => {
  const participant = new Participant(
    new EtcdElectionBackend({ etcd, lockName, ...timing, random: () => 0 }),
  );
  participant.elector.on('error', (error) => errors.push(error as EtcdError));
  participant.elector.on('acquired', ({ reason }) => reasons.push(reason));
  participants.push(participant);
  participant.elector.start();
  return participant;
};
const leads = (participant: Participant) => eventually('leads', TIMEOUT, () => participant.leads);
const follows = (participant: Participant, leader: Participant) =>
  eventually('follows', TIMEOUT, () => participant.elector.leaderId === leader.id);

describe('EtcdElectionBackend on a server', () => {
  let server: GuardedServer;
  let admin: EtcdConnection;
  const endpoints = () => ({ endpoints: server.url });
  const get = async (key: string) =>
    (await admin.call('/etcdserverpb.KV/Range', { key: bytes(key) })).kvs[0]?.value.toString();

  beforeAll(async () => {
    server = await startEtcd();
    admin = new EtcdConnection({ endpoints: server.url }, 10_000);
  }, 60_000);
  afterAll(async () => {
    admin.close();
    await server.stop();
  });

  it('uses the revision of its place in the queue as its term, and names the leader', async () => {
    const first = enter(endpoints());
    await leads(first);
    const keys = etcdElectionKeys(lockName);
    const { kvs } = await admin.call('/etcdserverpb.KV/Range', {
      key: bytes(keys.candidates),
      range_end: bytes(`${keys.candidates}~`),
    });
    expect(kvs.map(({ create_revision }) => Number(create_revision))).toEqual([first.elector.term]);
    const record = await eventually('announced', TIMEOUT, () => get(keys.leader));
    expect(JSON.parse(record)).toEqual({
      version: 1,
      ttl: ETCD_TIMING.lockTtl,
      id: first.id,
      term: first.elector.term,
    });
  });

  it('wakes the next in the queue only, in the order of arrival', async () => {
    const first = enter(endpoints());
    await leads(first);
    const second = enter(endpoints());
    await follows(second, first);
    const third = enter(endpoints());
    await follows(third, first);
    await first.elector.resign();
    await leads(second);
    await follows(third, second);
    await second.elector.stop();
    await leads(third);
    expect(reasons).toEqual(['vacant', 'released', 'released']);
    expect(third.events).toEqual([`acquired ${third.elector.term}`]);
  });

  it('steps down when its place is removed by hand', async () => {
    const first = enter(endpoints());
    await leads(first);
    const { term } = first.elector;
    await eventually('announced', TIMEOUT, () => get(etcdElectionKeys(lockName).leader));
    const { candidates } = etcdElectionKeys(lockName);
    const { kvs } = await admin.call('/etcdserverpb.KV/Range', {
      key: bytes(candidates),
      range_end: bytes(`${candidates}~`),
    });
    await admin.call('/etcdserverpb.KV/Txn', {
      success: [{ request_delete_range: { key: kvs[0]!.key } }],
    });
    await eventually('leads again', TIMEOUT, () => first.leads && first.elector.term > term);
    expect(first.events[1]).toBe('lost refused');
  });

  it('treats an unreadable record as unknown, and replaces it', async () => {
    const first = enter(endpoints());
    await leads(first);
    const key = etcdElectionKeys(lockName).leader;
    await eventually('announced', TIMEOUT, () => get(key));
    const second = enter(endpoints());
    await follows(second, first);
    const known: (string | null)[] = [];
    second.elector.on('follower', ({ leaderId }) => known.push(leaderId));
    await admin.call('/etcdserverpb.KV/Put', { key: bytes(key), value: bytes('{"version":2}') });
    await eventually('unknown, and replaced', TIMEOUT, () => known.length > 1);
    expect(known).toEqual([null, first.id]);
    expect(first.events).toHaveLength(1);
  });

  it('follows the changes that come after a compaction', async () => {
    const first = enter(endpoints());
    await leads(first);
    const { header } = await admin.call('/etcdserverpb.KV/Put', { key: bytes('x'), value: bytes('1') });
    await admin.call('/etcdserverpb.KV/Compact', { revision: Number(header.revision) });
    const watch = await admin.watch([{ key: 'x' }], 1);
    const error = await new Promise<EtcdError>((resolve) => watch.listen(() => undefined, resolve));
    expect(error.message).toMatch(/compacted up to revision/);
    const second = enter(endpoints());
    await follows(second, first);
    await first.elector.resign();
    await leads(second);
  });

  it('keeps its lease through a restart', async () => {
    const first = enter(endpoints(), ETCD_LONG_LEASE);
    await leads(first);
    const { lease } = first.elector;
    await server.restart();
    const restarted = performance.now();
    await eventually('renewed', TIMEOUT, () => first.grants.at(-1)!.sentAt > restarted);
    expect(first.elector.lease).toBe(lease);
    expect(errors.map(({ code }) => code)).toContain('UNREACHABLE');
  });

  it('steps down at the end of its lease when the server freezes, and leads again after it', async () => {
    const first = enter(endpoints());
    await leads(first);
    server.pause();
    try {
      await eventually('lost', TIMEOUT, () => first.events.length > 1);
      expect(first.events[1]).toBe('lost expired');
      await eventually('a timeout', TIMEOUT, () => errors.some(({ code }) => code === 'TIMEOUT'));
    } finally {
      server.resume();
    }
    await leads(first);
  });

  it('raises the term when the store has lost its data', async () => {
    for (let i = 0; i < 20; i++)
      await admin.call('/etcdserverpb.KV/Put', { key: bytes('x'), value: bytes('1') });
    const [first, second] = [enter(endpoints()), enter(endpoints())];
    const old = await eventually('a leader', TIMEOUT, () => participants.find((each) => each.leads));
    await follows(old === first ? second : first, old);
    const { term } = old.elector;
    await server.kill();
    await rm(join(server.directory, 'data'), { recursive: true });
    await server.start();
    const next = await eventually('a leader', 2 * TIMEOUT, () =>
      participants.find((each) => each.leads && each.elector.term > term),
    );
    await follows(next === first ? second : first, next);
  });

  it('reports that no server answers, and leads when one does', async () => {
    await server.kill();
    const first = enter(endpoints());
    const refused = /^etcd at http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.* \(check `endpoints`/;
    await eventually(
      'errors',
      TIMEOUT,
      () => errors.filter(({ message }) => refused.test(message)).length > 2,
    );
    await server.start();
    await leads(first);
  });
});

describe('EtcdElectionBackend on a cluster', () => {
  /** Longer than members take to agree on another leader of theirs, also on a busy machine. */
  const timing = { lockTtl: 10_000, heartbeatInterval: 1_000 };

  it('switches to another member when its own dies, freezes or is isolated', async () => {
    const cluster = await startEtcdCluster(3);
    try {
      const first = enter({ endpoints: cluster.urls }, timing);
      await leads(first);
      const { lease } = first.elector;
      const confirmed = async (what: string) => {
        const since = performance.now();
        await eventually(what, TIMEOUT, () => first.grants.at(-1)!.sentAt > since + 200);
      };
      await cluster.members[0]!.kill();
      await confirmed('confirmed without the one that died');
      await cluster.members[0]!.start();
      cluster.members[1]!.pause();
      await confirmed('confirmed without the one that is frozen');
      cluster.members[1]!.resume();
      const second = enter({ endpoints: cluster.urls }, timing);
      await follows(second, first);
      await eventually('valid, after a pause at most', TIMEOUT, () => lease!.isValid());
      expect(first.events).toHaveLength(1);

      await Promise.all([cluster.members[1]!.kill(), cluster.members[2]!.kill()]);
      await eventually('lost with the majority', 2 * TIMEOUT, () => first.events.length > 1);
      expect(participants.some((each) => each.leads)).toBe(false);
      await Promise.all([cluster.members[1]!.start(), cluster.members[2]!.start()]);
      await eventually('a participant leads', 2 * TIMEOUT, () => participants.some((each) => each.leads));
      expect(await leave()).toEqual([]);
    } finally {
      await cluster.stop();
    }
  }, 120_000);
});

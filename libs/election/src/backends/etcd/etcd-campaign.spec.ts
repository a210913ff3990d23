import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ElectionState } from '../../contract/election-backend.js';
import { VirtualClock } from '../../testing/virtual-clock.js';
import { validityOf } from '../../util/clock.js';
import type { EtcdHeader } from './etcd-api.js';
import { EtcdConnection } from './etcd-connection.js';
import type { EtcdEvent } from './etcd-watch.js';
import { etcdElectionKeys } from './etcd-election-keys.js';
import { resolveEtcdElectionOptions } from './etcd-election-options.js';
import { EtcdCampaign } from './etcd-campaign.js';
import { EtcdMemory, writeLeaderRecord } from './etcd-memory.js';
import { EtcdQueue, type Place, type QueueView } from './etcd-queue.js';

const TTL = 9_000;
const LATENCY = 200;
const keys = etcdElectionKeys('x');
const nothing = { text: undefined, modRevision: 0 };

/** A queue that says what a test wants; each answer takes its time. */
class ScriptedQueue extends EtcdQueue {
  header: EtcdHeader = { cluster_id: '1', member_id: '1', revision: '10', raft_term: '2' };
  /** Of the cluster, while a lease is renewed. */
  renewingTerm = '2';
  first: string | undefined;
  heard: (event: EtcdEvent) => void = () => undefined;
  /** Runs while an answer is in flight. */
  duringCall: () => void = () => undefined;
  readonly offsets: number[] = [];

  constructor(private readonly clock: VirtualClock) {
    super(new EtcdConnection({ endpoints: 'http://127.0.0.1:1' }, 1), keys, TTL / 1_000);
  }

  override take(place: Place) {
    return Promise.resolve({ ...place, createRevision: 7 });
  }

  override renew() {
    this.clock.advance(LATENCY);
    return Promise.resolve({ header: { ...this.header, raft_term: this.renewingTerm }, ttl: TTL });
  }

  override read(place?: Place): Promise<QueueView> {
    this.clock.advance(LATENCY);
    this.duringCall();
    return Promise.resolve({
      header: this.header,
      present: true,
      first: { key: this.first ?? place!.key, createRevision: this.first ? 6 : 7 },
      before: this.first,
      leader: nothing,
      termOffset: { text: this.offsets.at(-1)?.toString(), modRevision: this.offsets.length },
    });
  }

  override watch() {
    const listen = (heard: (event: EtcdEvent) => void) => (this.heard = heard);
    return Promise.resolve({ listen, close: () => undefined } as never);
  }

  override announce = () => Promise.resolve();
  override sayReleased = () => Promise.resolve();
  override leave = () => Promise.resolve();
  override raiseTermOffset(offset: number) {
    this.offsets.push(offset);
    return Promise.resolve();
  }
}

const settle = async () => {
  for (let i = 0; i < 20; i++) await setImmediate();
};
const event = (type: 'PUT' | 'DELETE', key: string, value = ''): EtcdEvent => ({
  type,
  kv: { key: Buffer.from(key), value: Buffer.from(value), create_revision: '1', mod_revision: '11' },
});

describe('EtcdCampaign', () => {
  let clock: VirtualClock;
  let queue: ScriptedQueue;
  let memory: EtcdMemory;
  let states: ElectionState[];
  let ending: AbortController;
  let running: Promise<void>;

  const start = () => {
    const options = resolveEtcdElectionOptions({
      etcd: { endpoints: 'http://127.0.0.1:1' },
      lockTtl: TTL,
      clock,
      random: () => 0,
    });
    const { signal } = ending;
    const campaign = new EtcdCampaign({
      queue,
      keys,
      options,
      memory,
      candidateId: 'me',
      signal,
      consumer: signal,
    });
    running = (async () => {
      for await (const state of campaign.states()) states.push(state);
    })();
  };
  beforeEach(() => {
    clock = new VirtualClock(10_000);
    queue = new ScriptedQueue(clock);
    memory = new EtcdMemory();
    [states, ending] = [[], new AbortController()];
  });
  afterEach(async () => {
    ending.abort();
    await running;
    expect(clock.pending).toBe(0);
  });

  it('counts its deadlines from when the renewal was sent', async () => {
    const sent = clock.now();
    start();
    await settle();
    expect(states).toEqual([
      {
        role: 'leader',
        term: 7,
        validUntil: sent + validityOf(TTL),
        leaseUntil: sent + TTL,
        sentAt: sent,
        reason: 'vacant',
      },
    ]);
  });

  it('does not count a renewal that a deposed leader of the cluster may have made', async () => {
    queue.renewingTerm = '1';
    start();
    await settle();
    expect(states.map(({ role }) => role)).toEqual(['error']);
    queue.renewingTerm = '2';
    clock.advance(1_000);
    await settle();
    expect(states.at(-1)!.role).toBe('leader');
  });

  it('refuses answers without a raft term', async () => {
    queue.renewingTerm = '0';
    queue.header = { ...queue.header, raft_term: '0' };
    start();
    await settle();
    expect(states).toMatchObject([{ role: 'error', error: { code: 'REFUSED' } }]);
  });

  it('is not deposed by events from before it led', async () => {
    queue.first = 'x/candidates/a';
    start();
    await settle();
    queue.first = undefined;
    queue.duringCall = () => {
      queue.duringCall = () => undefined;
      queue.heard(event('PUT', keys.leader, writeLeaderRecord({ id: 'a', term: 6, ttl: TTL })));
      queue.heard(event('DELETE', keys.leader));
    };
    queue.heard(event('DELETE', 'x/candidates/a'));
    await settle();
    const led = states.findIndex(({ role }) => role === 'leader');
    expect(led).toBeGreaterThan(-1);
    expect(states.slice(led + 1)).toEqual([]);
  });

  it('raises the term above those it knows, and steps down for a candidate that knows higher ones', async () => {
    memory.saw(50);
    start();
    await settle();
    expect(queue.offsets).toEqual([50]);
    expect(states.at(-1)).toMatchObject({ role: 'leader', term: 57 });
    queue.offsets.push(90);
    queue.heard(event('PUT', keys.termOffset, '90'));
    await settle();
    expect(states.slice(-2)).toMatchObject([
      { role: 'follower', reason: 'refused' },
      { role: 'leader', term: 97 },
    ]);
  });

  it.each([
    ['its own lease', 'shorter', 4_000, TTL],
    ['the lease of the last leader', 'longer', 20_000, 20_000],
  ])(
    'waits for the length of %s, if that of the leader was %s and the store has been replaced',
    async (_what, _than, ttl, wait) => {
      queue.first = 'x/candidates/a';
      start();
      await settle();
      queue.heard(event('PUT', keys.leader, writeLeaderRecord({ id: 'a', term: 6, ttl })));
      queue.first = undefined;
      queue.header = { ...queue.header, cluster_id: '9' };
      const lost = clock.now();
      queue.heard(event('DELETE', 'x/candidates/a'));
      await settle();
      expect(states.at(-1)).toMatchObject({ role: 'error', error: { code: 'STORE_RESTARTED' } });
      while (states.at(-1)!.role !== 'leader') {
        clock.advance(500);
        await settle();
      }
      expect(clock.now() - lost).toBeGreaterThanOrEqual(wait);
      expect(clock.now() - lost).toBeLessThan(wait + 2_000);
    },
  );
});

import { closeRedis, whenReady } from '@detector-cluster/election/redis';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterProcess } from '../../../../test/support/cluster-process.js';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually } from '../../../../test/support/until.js';
import { clusterKeys, type ClusterKeys } from '../shared/cluster-keys.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TIMEOUT = 20_000;

const leader = (among: ClusterProcess[], besides: ClusterProcess) =>
  eventually('another master', TIMEOUT, () =>
    among.find((one) => one !== besides && one.election.getIsMaster()),
  );

/** The terms of all masters so far; waits for at least this many. */
const acquisitions = async (cluster: ClusterProcess, wanted: number) =>
  eventually(`${wanted} masters in the history`, TIMEOUT, async () => {
    const events = await cluster.cluster.listEvents();
    const terms = events.flatMap(({ type, term }) => (type === 'master-acquired' ? [term] : []));
    return terms.length >= wanted && terms;
  });

describe.each([1, 2])('a master of %i processes whose fence was raised by something else', (count) => {
  const processes: ClusterProcess[] = [];
  afterEach(async () => {
    for (const one of processes.splice(0)) await one.stop();
  });

  it('is replaced by a master that can write', async () => {
    const prefix = `{${randomUUID()}}:`;
    const redis = openPatientRedis(process.env.REDIS_URL!);
    await whenReady(redis, 5_000);
    for (let i = 0; i < count; i++) processes.push(await ClusterProcess.start({ prefix, workers: [] }));
    const { term } = processes[0]!.election;
    await redis.set(clusterKeys(prefix).fence, term + 1);
    // Promised within 5 s.
    await eventually('a master above the fence', 15_000, async () => {
      const events = await processes[0]!.cluster.listEvents();
      return events.some((event) => event.type === 'master-acquired' && event.term > term + 1);
    });
    const one = processes.find(({ election }) => election.getIsMaster())!;
    await expect(one.cluster.regenerate()).resolves.toBe(true);
    await expect(one.cluster.resignMaster()).resolves.toMatchObject({ processId: one.election.getNodeId() });
    closeRedis(redis);
  });
});

describe('a master that is asked to resign', () => {
  let redis: Redis;
  let prefix: string;
  let keys: ClusterKeys;
  const processes: ClusterProcess[] = [];

  beforeAll(async () => {
    redis = openPatientRedis(process.env.REDIS_URL!);
    await whenReady(redis, 5_000);
  });
  afterAll(() => closeRedis(redis));
  beforeEach(() => {
    prefix = `{${randomUUID()}}:`;
    keys = clusterKeys(prefix);
  });
  afterEach(async () => {
    for (const one of processes.splice(0)) await one.stop();
  });

  /** The first is master. */
  async function start(count: number): Promise<ClusterProcess[]> {
    for (let i = 0; i < count; i++) processes.push(await ClusterProcess.start({ prefix, workers: [] }));
    return [...processes];
  }

  it.each(['itself', 'another process'])('resigns at the request of %s', async (who) => {
    const [master, other] = (await start(2)) as [ClusterProcess, ClusterProcess];
    const { term } = master.election;
    const asked = who === 'itself' ? master : other;
    await expect(asked.cluster.resignMaster()).resolves.toEqual({
      term,
      processId: master.election.getNodeId(),
    });
    await expect(master.election.waitForElectionComplete()).resolves.toBe(false);
    expect((await leader([master, other], master)).election.term).toBeGreaterThan(term);
  });

  it('wins again with a higher term when it is alone', async () => {
    const [only] = (await start(1)) as [ClusterProcess];
    const { term } = only.election;
    const processId = only.election.getNodeId();
    await expect(only.cluster.resignMaster({ term })).resolves.toEqual({ term, processId });
    await eventually(
      'a higher term',
      TIMEOUT,
      () => only.election.getIsMaster() && only.election.term > term,
    );
  });

  it('resigns once when many processes ask at once; the others get the new master', async () => {
    const all = await start(3);
    const [master] = all as [ClusterProcess];
    const { term } = master.election;
    await acquisitions(master, 1);
    const outcomes = await Promise.allSettled(
      [...all, ...all].map(({ cluster }) => cluster.resignMaster({ term })),
    );
    const successor = await leader(all, master);
    const fulfilled = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(fulfilled).toEqual([
      { status: 'fulfilled', value: { term, processId: master.election.getNodeId() } },
    ]);
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const error of errors)
      expect(error).toMatchObject({
        name: 'MasterChangedError',
        code: 'MASTER_CHANGED',
        asked: term,
        term: successor.election.term,
        processId: successor.election.getNodeId(),
        message: expect.stringContaining(successor.election.getNodeId()),
      });
    expect(errors).toHaveLength(5);
    expect(await acquisitions(successor, 2)).toEqual([term, successor.election.term]);
  });

  it('lets its successor answer the repetition of a request whose answer was lost, without resigning too', async () => {
    const [master, successor] = (await start(2)) as [ClusterProcess, ClusterProcess];
    const { term } = master.election;
    const request = JSON.stringify({ id: 'the-one', from: 'deaf', method: 'resign', params: { term } });
    await successor.cluster.regenerate();
    await redis.publish(keys.masterRequests, request);
    await leader([master, successor], master);
    const nextTerm = successor.election.term;
    const processId = master.election.getNodeId();
    // No remaining process remembers the answer.
    await processes.shift()!.stop();

    const answers: { state: string }[] = [];
    const ear = redis.duplicate();
    ear.on('error', () => undefined);
    ear.on('message', (_channel, text: string) => answers.push(JSON.parse(text) as { state: string }));
    await ear.subscribe(keys.replies('deaf'));
    // On a busy machine the master first replies that the request is in progress.
    const answer = await eventually('an answer', TIMEOUT, async () => {
      await redis.publish(keys.masterRequests, request);
      return answers.find(({ state }) => state !== 'working');
    });
    closeRedis(ear);
    expect(answer).toEqual({ id: 'the-one', state: 'done', result: { term, processId } });
    // The successor has answered, and continues under the same term.
    await expect(successor.cluster.regenerate()).resolves.toBe(true);
    expect(successor.election.term).toBe(nextTerm);
    // Another request for the same term is a different request.
    await expect(successor.cluster.resignMaster({ term })).rejects.toMatchObject({ code: 'MASTER_CHANGED' });
  });

  it('rejects an invalid term, and a term that never led', async () => {
    const [master, other] = (await start(2)) as [ClusterProcess, ClusterProcess];
    for (const { cluster } of [master, other]) {
      for (const term of [0, -1, 1.5, '7', null])
        await expect(cluster.resignMaster({ term: term as never })).rejects.toMatchObject({
          name: 'InvalidInputError',
          field: 'term',
        });
      await expect(cluster.resignMaster({ term: 5 })).rejects.toMatchObject({
        code: 'MASTER_CHANGED',
        term: master.election.term,
        processId: master.election.getNodeId(),
      });
    }
    expect(master.election.getIsMaster()).toBe(true);
  });
});

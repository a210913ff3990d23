import { closeRedis } from '@detector-cluster/election/redis';
import { FencedStore } from '@detector-cluster/election/fence';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { clusterKeys, type ClusterKeys } from '../shared/cluster-keys.js';
import type { DatabasePosition } from '../sources/database-history.js';
import type { DesiredState, DesiredStateSource } from '../sources/desired-state-source.js';
import { readOf, requestStore } from '../sources/requests.fixture.js';
import { CertainReads } from './certain-reads.js';
import { DesiredStateStore } from './desired-state-store.js';

const redis: Redis = openPatientRedis(process.env.REDIS_URL!);
afterAll(() => closeRedis(redis));

const at = (timeline: number, lsn: string, system = 'a'): DatabasePosition => ({ system, timeline, lsn });

/** What a server says: its position, and its displays. */
interface Answer {
  readonly position?: DatabasePosition | 'standby';
  readonly displays: readonly string[];
}

const pageOf = ({ displays, position }: Answer): DesiredState => ({
  subscriptions: displays.map((display) => ({
    subscriptionIdentifier: `${display};c`,
    rtspUrl: 'rtsp://h/1',
    modelId: 1,
    modelName: 'cars',
    createdAt: '2026-01-01T00:00:00.000Z',
  })),
  skipped: [],
  position,
});

const displaysOf = ({ entries }: DesiredStateStore) =>
  [...entries.keys()].map((id) => id.slice(0, -2)).sort();

describe('CertainReads', () => {
  let keys: ClusterKeys;
  let term: number;
  let moves: string[];
  let answer: Answer;
  /** What the database says to a small read. */
  let someAnswer: Answer;
  /** Runs between the first page of a read of everything and its end. */
  let during: () => Promise<unknown>;

  beforeEach(() => {
    keys = clusterKeys(`{test-${randomUUID()}}:`);
    term = 0;
    moves = [];
    during = () => Promise.resolve();
  });

  const source: DesiredStateSource = {
    async *read() {
      yield pageOf(answer);
      await during();
    },
    readSome: () => Promise.resolve(pageOf(someAnswer)),
  };

  async function nextTerm(): Promise<DesiredStateStore> {
    const store = new FencedStore(redis, keys.fence, ++term);
    await store.raise();
    const requests = readOf(requestStore(redis, keys, null));
    const desired = new DesiredStateStore(
      store,
      keys,
      source,
      requests,
      () => Promise.resolve(),
      null,
      null,
      undefined,
      undefined,
      new CertainReads(store, keys, (message) => void moves.push(message)),
    );
    await desired.load(redis);
    return desired;
  }

  async function reads(desired: DesiredStateStore, next: Answer): Promise<void> {
    answer = next;
    await desired.regenerate();
    expect(displaysOf(desired)).toEqual(next.displays);
  }

  async function refuses(desired: DesiredStateStore, next: Answer, reason: RegExp): Promise<void> {
    const before = displaysOf(desired);
    answer = someAnswer = next;
    await expect(desired.regenerate()).rejects.toThrow(reason);
    if (desired.readsSome) await expect(desired.regenerateSome({ displays: before })).rejects.toThrow(reason);
    expect(displaysOf(desired)).toEqual(before);
    expect(JSON.parse((await redis.get(keys.database))!)).toMatchObject({
      refused: expect.stringMatching(reason),
    });
  }

  it('stops nothing because of a read that is behind, under any later master, and continues with the primary', async () => {
    const first = await nextTerm();
    await reads(first, { position: at(1, '0/20'), displays: ['d1'] });
    await refuses(
      first,
      { position: at(1, '0/1F'), displays: [] },
      /is at 0\/1F, and 0\/20 has been read: connect to/,
    );
    await reads(first, { position: at(2, '0/10'), displays: ['d1', 'd2'] });
    expect(moves).toEqual(['the database is system a on timeline 2 now, and was system a on timeline 1']);
    const second = await nextTerm();
    await refuses(second, { position: at(1, '9/0'), displays: ['d1'] }, /timeline 1, and timeline 2/);
    expect(second.certain).toBe(false);
    await reads(second, { position: at(2, '0/11'), displays: ['d2'] });
    expect(JSON.parse((await redis.get(keys.database))!)).toMatchObject({ refused: null });
  });

  it('counts no read of a standby, not even the first one', async () => {
    const desired = await nextTerm();
    await refuses(
      desired,
      { position: 'standby', displays: [] },
      /is a standby, which may be behind: connect to the primary/,
    );
    await redis.del(keys.database);
    await refuses(desired, { position: 'standby', displays: [] }, /is a standby/);
    await reads(desired, { position: at(1, '0/20'), displays: ['d1'] });
  });

  it('follows to another system, and not back', async () => {
    const desired = await nextTerm();
    await reads(desired, { position: at(3, '5/0'), displays: ['d1'] });
    await reads(desired, { position: at(1, '0/20', 'b'), displays: ['d1', 'd2'] });
    await refuses(
      desired,
      { position: at(4, '6/0'), displays: ['d1'] },
      /system a, which system b has replaced/,
    );
  });

  it('counts a database that was restored on purpose, once an operator has removed the record', async () => {
    const desired = await nextTerm();
    await reads(desired, { position: at(3, '5/0'), displays: ['d1', 'd2'] });
    const restored = { position: at(2, '4/0'), displays: ['d1'] };
    await refuses(
      desired,
      restored,
      /if this one was restored on purpose, confirm it with DEL .*worker:database in Redis$/,
    );
    await redis.del(keys.database);
    await reads(desired, restored);
    await refuses(desired, { position: at(1, '6/0'), displays: [] }, /timeline 1, and timeline 2/);
  });

  it('drops a read of everything if another server takes over before its end', async () => {
    const desired = await nextTerm();
    await reads(desired, { position: at(1, '0/20'), displays: ['d1', 'd2'] });
    someAnswer = { position: at(2, '0/10'), displays: ['d3'] };
    during = () => desired.regenerateSome({ displays: ['d3'] });
    answer = { position: at(1, '0/21'), displays: ['d1'] };
    await expect(desired.regenerate()).rejects.toThrow(/another database server has taken over/);
    expect(displaysOf(desired)).toEqual(['d1', 'd2', 'd3']);
  });

  it('lets small reads come in between on the same server', async () => {
    const desired = await nextTerm();
    await reads(desired, { position: at(1, '0/20'), displays: ['d1'] });
    someAnswer = { position: at(1, '0/30'), displays: ['d3'] };
    during = () => desired.regenerateSome({ displays: ['d3'] });
    answer = { position: at(1, '0/21'), displays: ['d1', 'd2'] };
    await desired.regenerate();
    expect(displaysOf(desired)).toEqual(['d1', 'd2', 'd3']);
  });

  it('counts every read without a position, and then refuses none any more', async () => {
    const desired = await nextTerm();
    await refuses(desired, { position: 'standby', displays: [] }, /is a standby/);
    await reads(desired, { displays: ['d1'] });
    expect(JSON.parse((await redis.get(keys.database))!)).toEqual({ history: null, refused: null });
    await reads(desired, { displays: [] });
  });

  it('names the field of a position that it cannot use', async () => {
    const desired = await nextTerm();
    answer = { position: { ...at(1, '0/20'), lsn: 'far' }, displays: [] };
    await expect(desired.regenerate()).rejects.toThrow(/^desiredState: position\.lsn: /);
  });
});

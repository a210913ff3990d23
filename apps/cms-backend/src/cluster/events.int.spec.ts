import { MasterSlaveWorkerCluster } from '@detector-cluster/detector-cluster';
import { closeRedis } from '@detector-cluster/election/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPatientRedis } from '../../../../test/support/patient-redis.js';
import { eventually, TIMEOUT } from '../eventually.fixture.js';
import { expectProblem } from '../expect-problem.fixture.js';
import { useTestApp } from '../test-app.fixture.js';
import { cursorAt } from '../http/pagination.js';

interface Item {
  readonly eventId: string;
  readonly type: string;
  readonly n?: number;
}

interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

type Query = Readonly<Record<string, string>>;

const PATH = '/api/cluster/events';
const ONE = 'ws://gpu-1:8000';
const TWO = 'ws://gpu-2:8000';
const BASE = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

/** More events than the service reads at once. */
const COUNT = 2_500;

/** Between two events of one type are more events than the service reads at once. */
const DRAINED = [10, 1_300, 2_490];

const typeOf = (n: number) => (DRAINED.includes(n) ? 'worker-drained' : 'worker-online');

const timeOf = (n: number) => new Date(BASE + n * MINUTE).toISOString();

const numbers = ({ items }: Page) => items.map(({ n }) => n);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('the list of events', () => {
  // A lease that a pause of a busy machine does not end: the master records no other event.
  const api = useTestApp({ ELECTION_TIMING: 'default' });
  const redis = openPatientRedis(process.env.REDIS_URL!);
  afterAll(() => closeRedis(redis));

  beforeAll(async () => {
    await eventually(async () => expect((await list({ type: 'master-acquired' })).items).toHaveLength(1));
    // The application shares the event loop, which more at once would block.
    for (let first = 0; first < COUNT; first += 100)
      await Promise.all(
        range(first, first + 100).map((n) => add(typeOf(n), BASE + n * MINUTE, { url: ONE, n })),
      );
  }, 2 * TIMEOUT);

  const add = (type: string, at: number, details: object) => {
    const { keys } = api.app.get(MasterSlaveWorkerCluster, { strict: false });
    const fields = { type, at: new Date(at).toISOString(), term: '1', details: JSON.stringify(details) };
    return redis.xadd(keys.events, '*', ...Object.entries(fields).flat());
  };
  const ask = (query: Query) => api.send<Page>('GET', `${PATH}?${new URLSearchParams(query)}`);
  const list = async (query: Query) => (await ask(query)).body;

  /** The numbers of the events of each page. */
  const pages = async (query: Query) => {
    const found = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await list({ ...query, ...(cursor !== '' && { cursor }) });
      found.push(numbers(page));
      cursor = page.nextCursor;
    }
    return found;
  };

  it('begins with the latest events and leads to older ones, oldest first on each page', async () => {
    const latest = await list({ limit: '3' });
    expect(numbers(latest)).toEqual(range(COUNT - 3, COUNT));
    const older = await list({ limit: '3', cursor: latest.nextCursor! });
    expect(numbers(older)).toEqual(range(COUNT - 6, COUNT - 3));
    const all = await pages({ limit: '1000' });
    expect(all.map(({ length }) => length)).toEqual([1_000, 1_000, COUNT - 2_000 + 1]);
    // The master has recorded the first event.
    expect(all.toReversed().flat()).toEqual([undefined, ...range(0, COUNT)]);
  });

  it('continues after an event, oldest first', async () => {
    const { items } = await list({ limit: '3' });
    const [{ eventId: after }, , { eventId: last }] = items as [Item, Item, Item];
    expect(await list({ after })).toEqual({ items: items.slice(1), nextCursor: null });
    expect(await list({ after, sort: '-at' })).toEqual({
      items: items.slice(1).toReversed(),
      nextCursor: null,
    });
    const first = await list({ after: '0-0', limit: '2' });
    expect(numbers(first)).toEqual([undefined, 0]);
    const next = { after: '0-0', cursor: first.nextCursor!, limit: '2' };
    expect(numbers(await list(next))).toEqual([1, 2]);
    expect(await list({ after: last })).toEqual({ items: [], nextCursor: null });
    expect(await list({ after: last, sort: '-at' })).toEqual({ items: [], nextCursor: null });
  });

  it('is sorted by time', async () => {
    expect((await pages({ sort: 'at', limit: '1000' })).flat()).toEqual([undefined, ...range(0, COUNT)]);
    const newestFirst = [...range(0, COUNT).toReversed(), undefined];
    expect((await pages({ sort: '-at', limit: '1000' })).flat()).toEqual(newestFirst);
  });

  it.each<[Query, number[][]]>([
    [{}, [[1_300, 2_490], [10]]],
    [{ sort: 'at' }, [[10, 1_300], [2_490]]],
    [{ sort: '-at' }, [[2_490, 1_300], [10]]],
    [{ after: '0-0' }, [[10, 1_300], [2_490]]],
  ])('with %j finds events of a type that are far apart, page by page', async (query, expected) => {
    const first = await list({ ...query, type: 'worker-drained', limit: '2' });
    const next = { ...query, type: 'worker-drained', limit: '2', cursor: first.nextCursor! };
    const second = await list(next);
    expect([numbers(first), numbers(second)]).toEqual(expected);
    expect(second.nextCursor).toBeNull();
  });

  it('takes several types', async () => {
    const { items } = await list({ type: 'worker-drained,master-acquired' });
    expect(items.map(({ type }) => type)).toEqual(['master-acquired', ...Array(3).fill('worker-drained')]);
  });

  it('is limited by the times of the events, not by those of Redis', async () => {
    expect(numbers(await list({ from: timeOf(5), to: timeOf(8) }))).toEqual([5, 6, 7]);
    expect(numbers(await list({ from: timeOf(5), to: timeOf(8), sort: '-at', limit: '2' }))).toEqual([7, 6]);
    const ascending = { from: timeOf(5), type: 'worker-online', sort: 'at', limit: '2' };
    expect(numbers(await list(ascending))).toEqual([5, 6]);
    expect(numbers(await list({ from: timeOf(COUNT - 1), to: timeOf(COUNT) }))).toEqual([COUNT - 1]);
    expect(await pages({ to: timeOf(1_500), type: 'worker-drained' })).toEqual([[10, 1_300]]);
  });

  it.each<[string, Query]>([
    ['cursor', { cursor: 'nonsense' }],
    ['cursor', { cursor: '1-1' }],
    ['cursor', { cursor: cursorAt('1-1-0') }],
    ['cursor', { cursor: cursorAt('1-1', '-at'), sort: 'at' }],
    ['cursor', { cursor: cursorAt('1-1', 'at') }],
    ['after', { after: '1' }],
    ['sort', { sort: 'type' }],
    ['type', { type: 'worker-online,nonsense' }],
    ['type', { type: '' }],
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-01-01' }],
    ['worker', { worker: 'x'.repeat(257) }],
  ])('refuses a wrong %s: %j', async (parameter, query) => {
    expect(expectProblem(await ask(query), 422).errors).toMatchObject([{ parameter }]);
  });

  it('is limited to the events that name a worker', async () => {
    await add('camera-moved', BASE, { cameraId: 'c', from: ONE, to: TWO, n: -1 });
    await add('operator-action', BASE, { by: 'a', action: 'workersDrain', target: 'gpu-2:8000', n: -2 });
    await add('worker-online', BASE, { url: 'ws://gpu-20:8000', n: -3 });
    expect(numbers(await list({ worker: TWO }))).toEqual([-1, -2]);
    expect(numbers(await list({ worker: TWO, type: 'camera-moved' }))).toEqual([-1]);
    expect(numbers(await list({ worker: ONE, limit: '2' }))).toEqual([COUNT - 1, -1]);
    expect(await list({ worker: 'ws://gpu' })).toEqual({ items: [], nextCursor: null });
  });
});

import type { FencedStore, GuardedCommand } from '@detector-cluster/election/fence';
import type { StreamMove } from '@detector-cluster/placement/internal';
import { describe, expect, it } from 'vitest';
import { clusterKeys } from '../shared/cluster-keys.js';
import { ActualStateStore } from '../term/actual-state-store.js';
import { Commit, MAX_TEXT } from '../shared/commit.js';
import { PlannerStateStore } from '../term/planner-state-store.js';

/** A commit to a store that accepts `accepted` calls. */
function setUp(accepted = Number.POSITIVE_INFINITY) {
  const calls: string[][] = [];
  const written: string[] = [];
  const store: Pick<FencedStore, 'write'> = {
    write: async (commands: readonly GuardedCommand[]) => {
      if (calls.length === accepted) throw new Error('Redis is unavailable');
      calls.push(commands.map(([, key]) => String(key)));
      return [];
    },
  };
  const commit = new Commit(store as FencedStore);
  const add = (key: string, length = 10) =>
    commit.add({ length, commands: () => [['SET', key, '']], written: () => written.push(key) });
  return { add, calls, commit, store: store as FencedStore, written };
}

describe('Commit', () => {
  it('writes all parts in one call, and then tells them and what follows', async () => {
    const { add, calls, commit, written } = setUp();
    for (const key of 'abc') add(key);
    commit.whenWritten(() => void written.push('follower'));
    expect(written).toEqual([]);
    await commit.write();
    expect(calls).toEqual([['a', 'b', 'c']]);
    expect(written).toEqual(['a', 'b', 'c', 'follower']);
  });

  it('makes no call for nothing', async () => {
    const { calls, commit, written } = setUp();
    commit.whenWritten(() => void written.push('follower'));
    await commit.write();
    expect({ calls, written }).toEqual({ calls: [], written: ['follower'] });
  });

  it('is cut, in order, where it is too large for one call', async () => {
    const { add, calls, commit } = setUp();
    add('a', MAX_TEXT - 10);
    add('b');
    add('c');
    add('d', 2 * MAX_TEXT);
    add('e');
    await commit.write();
    expect(calls).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('tells only the parts of calls that Redis has accepted, and nothing that follows', async () => {
    const { add, commit, written } = setUp(1);
    add('a', MAX_TEXT);
    add('b', MAX_TEXT);
    add('c');
    commit.whenWritten(() => void written.push('follower'));
    await expect(commit.write()).rejects.toThrow('Redis is unavailable');
    expect(written).toEqual(['a']);
  });

  it('takes what a pass has decided down in one call, and none of it is remembered before', async () => {
    const { calls, commit, store } = setUp();
    const keys = clusterKeys('');
    const planner = new PlannerStateStore(store, keys);
    const actual = new ActualStateStore(store, keys, () => null);
    const move = {
      unitId: 'c',
      from: 'a',
      to: 'b',
      reason: 'drain',
      since: 0,
      deadline: 0,
      commands: new Map(),
    };
    const tracked = {
      workerUrl: 'a',
      specHash: 'h',
      sentAt: null,
      attempts: 0,
      offline: null,
      confirmed: false,
      holder: '',
      status: 'pending',
      reason: 'starting',
      since: 0,
      assignedAt: 0,
    } as const;
    const memory = { state: null, penalties: new Map(), flaps: {} };
    await planner.addTo(commit, new Map([['c', move as StreamMove]]), memory);
    await actual.addTo(commit, new Map([['d;c', tracked]]), ['d;c']);
    expect([planner.moves.size, actual.tracked.size]).toEqual([0, 0]);
    await commit.write();
    expect([planner.moves.size, actual.tracked.size]).toEqual([1, 1]);
    expect(calls).toEqual([[keys.moves, keys.planner, keys.actual, keys.actualRevision]]);
  });
});

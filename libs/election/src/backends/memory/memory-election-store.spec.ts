import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../testing/virtual-clock.js';
import { MemoryElectionStore } from './memory-election-store.js';

const claim = (candidateId: string) => ({ owner: `${candidateId}:1`, candidateId, ttl: 900, floor: 0 });

describe('MemoryElectionStore', () => {
  const a = claim('a');
  const b = claim('b');
  let clock: VirtualClock;
  let store: MemoryElectionStore;

  beforeEach(() => {
    clock = new VirtualClock(5_000);
    store = new MemoryElectionStore({ lockTtl: 900, clock });
  });

  it('belongs to its holder to the last millisecond, and then to the next that comes', () => {
    expect(store.acquire(a)).toEqual({ owner: 'a:1', leaderId: 'a', term: 1, remaining: 900 });
    clock.advance(899);
    expect(store.acquire(b)).toEqual({ owner: 'a:1', leaderId: 'a', term: 1, remaining: 1 });
    expect(store.leader?.candidateId).toBe('a');
    clock.advance(1);
    expect(store.leader).toBeUndefined();
    expect(store.acquire(b)).toMatchObject({ owner: 'b:1', term: 2 });
  });

  it('is renewed by its holder in the same term, and not after its end', () => {
    store.acquire(a);
    clock.advance(899);
    expect(store.renew(b)).toMatchObject({ owner: 'a:1', remaining: 1 });
    expect(store.renew(a)).toMatchObject({ term: 1, remaining: 900 });
    clock.advance(900);
    expect(store.renew(a)).toMatchObject({ owner: null, term: 1 });
    expect(store.acquire({ ...a, floor: 7 })).toMatchObject({ term: 8 });
  });

  it('is released by its holder only', () => {
    store.acquire(a);
    store.release(b.owner);
    expect(store.leader).toBeDefined();
    store.release(a.owner);
    expect(store.leader).toBeUndefined();
    expect(store.acquire(b)).toMatchObject({ term: 2 });
  });

  it('reports each change of leader until the last listener is removed', () => {
    const heard: unknown[] = [];
    const unwatch = store.watch((news) => heard.push(news));
    store.acquire(a);
    store.acquire(a);
    store.renew(a);
    store.release(a.owner);
    unwatch();
    store.acquire(a);
    expect(heard).toEqual([
      { term: 1, leaderId: 'a' },
      { term: 1, leaderId: null },
    ]);
  });
});

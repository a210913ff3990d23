import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '../../testing/virtual-clock.js';
import { MemoryElectionStore } from './memory-election-store.js';

describe('MemoryElectionStore', () => {
  const a = {};
  const b = {};
  let clock: VirtualClock;
  let store: MemoryElectionStore;

  beforeEach(() => {
    clock = new VirtualClock(5_000);
    store = new MemoryElectionStore({ lockTtl: 900, clock });
  });

  it('belongs to its holder to the last millisecond, and then to whoever comes', () => {
    expect(store.acquire(a, 'a')).toMatchObject({ term: 1, until: 5_900, reason: 'vacant' });
    clock.advance(899);
    expect(store.acquire(b, 'b')).toBeUndefined();
    expect(store.leader?.candidateId).toBe('a');
    clock.advance(1);
    expect(store.leader).toBeUndefined();
    expect(store.acquire(b, 'b')).toMatchObject({ term: 2, reason: 'expired' });
  });

  it('is renewed by its holder in the same term, and not after its end', () => {
    store.acquire(a, 'a');
    clock.advance(899);
    expect(store.acquire(a, 'a')).toMatchObject({ term: 1, until: 6_799 });
    clock.advance(900);
    expect(store.acquire(a, 'a')).toMatchObject({ term: 2 });
  });

  it('is released by its holder only', () => {
    store.acquire(a, 'a');
    store.release(b);
    expect(store.leader).toBeDefined();
    store.release(a);
    expect(store.leader).toBeUndefined();
    expect(store.acquire(b, 'b')).toMatchObject({ term: 2, reason: 'released' });
  });

  it('tells the others of a change, until they do not listen any more', () => {
    const heard: string[] = [];
    store.watch(a, () => heard.push('a'));
    store.watch(b, () => heard.push('b'));
    store.acquire(a, 'a');
    store.acquire(a, 'a');
    store.release(a);
    store.unwatch(b);
    store.acquire(a, 'a');
    expect(heard).toEqual(['b', 'b']);
  });
});

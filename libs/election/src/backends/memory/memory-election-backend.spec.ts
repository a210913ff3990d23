import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Elector } from '../../elector/elector.js';
import { VirtualClock } from '../../testing/virtual-clock.js';
import { MemoryElectionBackend } from './memory-election-backend.js';
import { MemoryElectionStore } from './memory-election-store.js';

describe('MemoryElectionBackend', () => {
  let clock: VirtualClock;
  let store: MemoryElectionStore;
  let participants: { elector: Elector; backend: MemoryElectionBackend }[];
  let events: string[];

  const join = async (id: string) => {
    const backend = new MemoryElectionBackend({ store });
    const elector = new Elector({ backend, candidate: { id }, clock });
    elector.on('acquired', ({ term, reason }) => events.push(`${id} acquired ${term} ${reason}`));
    elector.on('lost', ({ reason }) => events.push(`${id} lost ${reason}`));
    // It keeps trying.
    elector.on('error', ({ name }) => events.at(-1) !== `${id} ${name}` && events.push(`${id} ${name}`));
    elector.on('recovered', () => events.push(`${id} recovered`));
    elector.start();
    participants.push({ elector, backend });
    await setImmediate();
    return { elector, backend };
  };
  const pass = async (duration: number, stride = 50) => {
    for (let passed = 0; passed < duration; passed += stride) {
      clock.advance(Math.min(stride, duration - passed));
      await setImmediate();
    }
  };

  beforeEach(() => {
    clock = new VirtualClock(5_000);
    store = new MemoryElectionStore({ lockTtl: 900, clock });
    participants = [];
    events = [];
  });

  afterEach(async () => {
    await Promise.all(participants.map(({ elector }) => elector.stop()));
    await Promise.all(participants.map(({ backend }) => backend.close()));
    expect(clock.pending).toBe(0);
    expect(store.leader).toBeUndefined();
  });

  it('keeps the first leader for as long as it renews, and names it', async () => {
    const a = await join('a');
    const b = await join('b');
    await pass(10_000);
    expect(events).toEqual(['a acquired 1 vacant']);
    expect([a.elector.leaderId, b.elector.leaderId, store.leader?.candidateId]).toEqual(['a', 'a', 'a']);
  });

  it('replaces a leader that was disconnected when its lease expires', async () => {
    const a = await join('a');
    const b = await join('b');
    a.backend.disconnect();
    await pass(899);
    expect(a.elector.lease!.isValid()).toBe(true);
    expect(b.elector.lease).toBeNull();
    await pass(1);
    expect(events).toEqual([
      'a acquired 1 vacant',
      'a StoreDisconnectedError',
      'a lost expired',
      'b acquired 2 expired',
      'a StoreDisconnectedError',
    ]);
    a.backend.reconnect();
    await setImmediate();
    expect(events.at(-1)).toBe('a recovered');
    expect(a.elector.leaderId).toBe('b');
  });

  it('keeps leading when it was disconnected for less than a lease', async () => {
    const a = await join('a');
    await join('b');
    a.backend.disconnect();
    await pass(600);
    a.backend.reconnect();
    await pass(5_000);
    expect(events).toEqual(['a acquired 1 vacant', 'a StoreDisconnectedError', 'a recovered']);
  });

  it('hands over at once, and lets the others go first', async () => {
    const a = await join('a');
    await join('b');
    await a.elector.resign();
    await setImmediate();
    expect(events).toEqual(['a acquired 1 vacant', 'a lost resigned', 'b acquired 2 released']);
    await a.backend.resign();
    expect(store.leader?.candidateId).toBe('b');
  });

  it('never resumes a term that it gave up while it was disconnected', async () => {
    const { elector, backend } = await join('a');
    backend.disconnect();
    await elector.resign();
    expect(store.leader?.candidateId).toBe('a');
    backend.reconnect();
    await setImmediate();
    expect(store.leader).toBeUndefined();
    await pass(1_000);
    expect(events.at(-1)).toBe('a acquired 2 released');
  });

  it('elects the only candidate again a second after it has resigned', async () => {
    const { elector } = await join('a');
    await elector.resign();
    await pass(999);
    expect(elector.lease).toBeNull();
    await pass(1);
    expect(events.at(-1)).toBe('a acquired 2 released');
  });

  it('releases when it is closed, after its leader has stepped down', async () => {
    const a = await join('a');
    await join('b');
    a.elector.on('lost', () => events.push(`held by ${store.leader?.candidateId}`));
    await a.backend.close();
    await setImmediate();
    expect(events).toEqual(['a acquired 1 vacant', 'a lost refused', 'held by a', 'b acquired 2 released']);
  });

  it('does not wait forever for a consumer that stops reading', async () => {
    const lasting = new MemoryElectionStore({ clock });
    const backend = new MemoryElectionBackend({ store: lasting });
    const states = backend.campaign({ id: 'x' }, new AbortController().signal);
    expect((await states.next()).value).toMatchObject({ role: 'leader', term: 1 });
    const closed = backend.close();
    clock.advance(3_000);
    await closed;
    expect(lasting.leader?.candidateId).toBe('x');
    expect((await states.next()).value).toMatchObject({ role: 'follower', leaderId: null });
    expect((await states.next()).done).toBe(true);
    expect(lasting.leader).toBeUndefined();
  });

  it('is refused a store whose leases have no length', () => {
    expect(() => new MemoryElectionStore({ lockTtl: 0 })).toThrow(
      new RangeError('lockTtl must be a number of milliseconds from 1 to 2147483647, not 0'),
    );
    expect(() => new MemoryElectionStore({ lockTtl: NaN })).toThrow('lockTtl');
  });
});

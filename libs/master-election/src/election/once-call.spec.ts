import type { Lease } from '@detector-cluster/election';
import type { LeaseView } from '@detector-cluster/election/lease';
import { VirtualClock } from '@detector-cluster/election/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { OnceCall } from './once-call.js';

const leaseTtl = 1_000;

const held = (owner: string, term: number): LeaseView => ({
  owner,
  leaderId: owner,
  term,
  remaining: leaseTtl,
  ttl: leaseTtl,
});

const turns = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

describe('OnceCall', () => {
  let clock: VirtualClock;
  let calls: string[];
  let onDone: (done: 'done') => void;
  let store: ConstructorParameters<typeof OnceCall>[0]['store'];

  beforeEach(() => {
    clock = new VirtualClock(1_000);
    calls = [];
    const owners = new Set<string>();
    store = {
      done: new Promise((resolve) => (onDone = resolve)),
      acquire: ({ owner }) => {
        calls.push('acquire');
        owners.add(owner);
        return Promise.resolve(held(owner, owners.size));
      },
      renew: ({ owner }) => {
        calls.push('renew');
        return Promise.resolve(held(owner, owners.size));
      },
      complete: () => Promise.resolve(true),
      release: () => {
        calls.push('release');
        return Promise.resolve();
      },
    };
  });

  const callOf = (work: (lease: Lease) => unknown) =>
    new OnceCall({
      key: 'work',
      work,
      store,
      timeout: 60_000,
      leaseTtl,
      caller: 'a',
      onError: () => undefined,
      clock,
    });

  it('claims again when a claim is granted so late that it has expired', async () => {
    const leases: Lease[] = [];
    const { acquire } = store;
    store.acquire = (claim) => {
      if (calls.length === 0) clock.advance(2 * leaseTtl);
      return acquire(claim);
    };
    expect(await callOf((lease) => void leases.push(lease)).run()).toBe(true);
    expect(leases.map(({ term }) => term)).toEqual([2]);
    expect(clock.pending).toBe(0);
  });

  it('resolves with false when another process has done the work', async () => {
    const { acquire } = store;
    store.acquire = async (claim) => ({ ...(await acquire(claim)), owner: 'another' });
    const running = callOf(() => expect.unreachable()).run();
    await turns();
    onDone('done');
    expect(await running).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('does not claim again while the work of a lost claim is still running', async () => {
    let finish!: () => void;
    let runs = 0;
    const work = () => (++runs === 1 ? new Promise<void>((resolve) => (finish = resolve)) : undefined);
    const { renew } = store;
    store.renew = async (claim) => ({ ...(await renew(claim)), owner: null, remaining: 0 });
    const running = callOf(work).run();
    await turns();
    clock.advance(leaseTtl / 3);
    await turns();
    for (let i = 0; i < 60; i++) {
      clock.advance(1_000);
      await turns();
    }
    expect(calls.filter((call) => call === 'acquire')).toHaveLength(1);
    finish();
    expect(await running).toBe(true);
    expect(runs).toBe(2);
    expect(calls.filter((call) => call === 'acquire')).toHaveLength(2);
  });
});

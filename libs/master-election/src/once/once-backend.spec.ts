import type { ElectionState } from '@detector-cluster/election';
import { VirtualClock } from '@detector-cluster/election/testing';
import { validityOf } from '@detector-cluster/election/internal';
import { beforeEach, describe, expect, it } from 'vitest';
import { OnceBackend } from './once-backend.js';
import type { OnceClaim, OnceStore } from './once-store.js';

const candidate = { id: 'a' };
const leaseTtl = 3_000;

describe('OnceBackend', () => {
  let calls: string[];
  let replies: (OnceClaim | Error)[];
  let clock: VirtualClock;
  let backend: OnceBackend;

  beforeEach(() => {
    calls = [];
    replies = [];
    clock = new VirtualClock(1_000);
    const store: Pick<OnceStore, 'claim' | 'release'> = {
      claim: (owner, extendOnly) => {
        calls.push(extendOnly ? `extend ${owner}` : `claim ${owner}`);
        const reply = replies.shift()!;
        return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
      },
      release: (owner) => {
        calls.push(`release ${owner}`);
        return Promise.resolve();
      },
    };
    backend = new OnceBackend({
      store: store as OnceStore,
      leaseTtl,
      owner: 'a',
      clock,
      random: () => 0.5,
    });
  });

  const campaign = (signal = new AbortController().signal) => backend.campaign(candidate, signal);
  const next = async (states: AsyncGenerator<ElectionState>, pause = 0) => {
    const state = states.next();
    await Promise.resolve();
    clock.advance(pause);
    return (await state).value as ElectionState | undefined;
  };

  it('holds a claim from the moment of sending, extends it, and releases it at the end', async () => {
    replies = [
      { state: 'held', term: 7 },
      { state: 'held', term: 7 },
    ];
    const abort = new AbortController();
    const states = campaign(abort.signal);
    const until = 1_000 + validityOf(leaseTtl);
    expect(await next(states)).toEqual({
      role: 'leader',
      term: 7,
      validUntil: until,
      leaseUntil: until,
      sentAt: 1_000,
    });
    expect(await next(states, 1_000)).toMatchObject({ validUntil: until + 1_000 });
    abort.abort();
    expect(await next(states)).toBeUndefined();
    expect(calls).toEqual(['claim a', 'extend a', 'release a']);
  });

  it('subtracts time that the machine slept while the claim was in flight', async () => {
    replies = [{ state: 'held', term: 7 }];
    const states = campaign();
    const state = states.next();
    // The monotonic clock does not advance while the machine sleeps.
    clock.stepWall(60_000);
    expect((await state).value).toMatchObject({ validUntil: 1_000 + validityOf(leaseTtl) - 60_000 });
    await states.return(undefined);
  });

  it('retries while another process holds the work or the store is unavailable, and ends when it is done', async () => {
    const away = new Error('away');
    replies = [{ state: 'taken', term: 5, left: 900 }, away, { state: 'done' }];
    const states = campaign();
    expect(await next(states)).toEqual({ role: 'follower', leaderId: null, term: 5 });
    expect(await next(states, 250)).toEqual({ role: 'error', error: away });
    expect(await next(states, 250)).toBeUndefined();
    expect(await backend.over).toBe('done');
    expect(calls).toEqual(['claim a', 'claim a', 'claim a']);
  });

  it('releases a claim that it may hold because an answer was lost', async () => {
    replies = [new Error('Command timed out')];
    const states = campaign();
    await next(states);
    await states.return(undefined);
    expect(calls).toEqual(['claim a', 'release a']);
  });

  it('never renews a lost claim', async () => {
    replies = [
      { state: 'held', term: 7 },
      { state: 'taken', term: 8, left: 100 },
    ];
    const states = campaign();
    await next(states);
    expect(await next(states, 1_000)).toEqual({ role: 'follower', leaderId: null, term: 8 });
    expect(await next(states)).toBeUndefined();
    expect(await next(campaign())).toBeUndefined();
    expect(await backend.over).toBe('lost');
    expect(calls).toEqual(['claim a', 'extend a']);
  });
});

import type { FencedStore } from '@detector-cluster/election/fence';
import { systemClock } from '@detector-cluster/election';
import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { deliveryKeys } from '../log/delivery-keys.js';
import { InterestIndex } from './interest-index.js';
import { RedisInterestStore } from './redis-interest-store.js';

const interests = (version: number, ...subscriptions: string[]) =>
  JSON.stringify({ version, global: false, subscriptions });

async function indexOf(written: Record<string, string>, members: Set<string>) {
  const keys = deliveryKeys('');
  const redis = { hgetall: async (key: string) => (key === keys.interests ? { ...written } : {}) };
  const store = new RedisInterestStore(
    redis as unknown as Redis,
    { write: async () => [], foreign: () => undefined } as unknown as FencedStore,
    keys,
  );
  const context = {
    clock: systemClock,
    signal: new AbortController().signal,
    deposed: () => undefined,
    readMembers: async () => undefined,
    onEvent: ({ error }: { readonly error: Error }) => {
      throw error;
    },
  };
  const hooks = { isMember: (id: string) => members.has(id), onGlobalChanged: () => undefined };
  const index = new InterestIndex(context, store, hooks);
  await index.begin();
  return { index, store };
}

it('follows the listeners of each process, and forgets those of processes that are gone', async () => {
  const written: Record<string, string> = { a: interests(1, 's1', 's2'), b: interests(1, 's2') };
  const members = new Set(['a', 'b']);
  const { index } = await indexOf(written, members);
  const listening = () => ['s1', 's2', 's3'].map((id) => [...index.listening(id)].sort().join(' '));
  expect(listening()).toEqual(['a', 'a b', '']);
  written.a = interests(2, 's2', 's3');
  await index.refreshed();
  expect(listening()).toEqual(['', 'a b', 'a']);
  members.delete('b');
  await index.refreshed();
  expect(listening()).toEqual(['', 'a', 'a']);
  members.add('b');
  await index.refreshed();
  expect(listening()).toEqual(['', 'a b', 'a']);
  delete written.a;
  members.delete('a');
  await index.refreshed();
  expect(listening()).toEqual(['', 'b', '']);
});

it('goes through the listeners of those processes only that have changed them', async () => {
  const written: Record<string, string> = { a: interests(1, 's1'), b: interests(1, 's2') };
  const { index, store } = await indexOf(written, new Set(['a', 'b']));
  let looks = 0;
  const record = (await store.read()).records.get('b')!;
  Object.defineProperty(record, 'subscriptions', { get: () => (looks++, ['s2']) });
  written.a = interests(2, 's1', 's3');
  await index.refreshed();
  expect([...index.listening('s3'), ...index.listening('s2')]).toEqual(['a', 'b']);
  expect(looks).toBe(0);
  written.b = interests(2, 's2', 's4');
  await index.refreshed();
  expect([...index.listening('s4'), ...index.listening('s2')]).toEqual(['b', 'b']);
  expect(looks).toBe(1);
});

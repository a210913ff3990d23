import type { ElectionState } from '@detector-cluster/election';
import { expect, it } from 'vitest';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { SECRET, TEST_TIMES } from '../test-support/real-group.js';
import { GroupElectionBackend } from './group-election-backend.js';

async function leading() {
  const store = new MemoryLeaderStore();
  const backend = new GroupElectionBackend({
    internalAddress: '127.0.0.1:0',
    secret: SECRET,
    tls: false,
    store,
    onWarning: () => undefined,
    ...TEST_TIMES,
  });
  const states = backend.campaign({ id: 'a' }, new AbortController().signal);
  const next = async (role: ElectionState['role']) => {
    for (;;) {
      const { value, done } = await states.next();
      if (done || value.role === role) return value as ElectionState | undefined;
    }
  };
  expect(await next('leader')).toBeDefined();
  const holder = async () =>
    (JSON.parse((await store.read()) ?? '{}') as { leader?: { name: string } }).leader?.name;
  expect(await holder()).toBe('a');
  return { backend, states, next, holder };
}

it('makes its leader step down before it releases, also after an error', async () => {
  const { backend, states, next, holder } = await leading();
  backend.groupMember!.emit('error', new Error('the store is unreachable'));
  expect(await next('error')).toBeDefined();
  const closed = backend.close();
  expect(await next('follower')).toMatchObject({ leaderId: null });
  expect(await holder()).toBe('a');
  await states.return(undefined);
  await closed;
  expect(await holder()).toBeUndefined();
});

it('yields in order what happened while its consumer did not read', async () => {
  const { backend, states } = await leading();
  const errors = [new Error('first'), new Error('second')];
  for (const error of errors) backend.groupMember!.emit('error', error);
  const read: unknown[] = [];
  while (read.length < errors.length) {
    const { value } = await states.next();
    if (value?.role === 'error') read.push(value.error);
  }
  expect(read).toEqual(errors);
  await states.return(undefined);
  await backend.close();
});

it('does not release while the leader does not read that it has to step down', async () => {
  const { backend, states, holder } = await leading();
  await backend.close();
  expect(await holder()).toBe('a');
  await states.return(undefined);
});

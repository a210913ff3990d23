import { systemClock } from '@detector-cluster/election';
import { FencedError } from '@detector-cluster/election/fence';
import { expect, it } from 'vitest';
import { partitionLogs } from '../log/log-address.js';
import type { LogStore } from '../log/log-store.js';
import { deliveryKeys } from '../log/delivery-keys.js';
import { routerDefaults } from '../send/router-context.js';
import { PartitionCount } from './partition-count.js';

/** Plays a change from 3 to 1. @param write what becomes of each attempt to store the new number */
async function change(write: (attempt: number) => Promise<void>): Promise<string[]> {
  const happened: string[] = [];
  const ended = new AbortController();
  let attempts = 0;
  const context = {
    clock: systemClock,
    signal: ended.signal,
    term: 2,
    options: { ...routerDefaults, partitions: 1 },
    onEvent: ({ type }: { readonly type: string }) => void happened.push(type),
    isValid: () => true,
    store: {
      seal: (_term, logs) => Promise.resolve(logs.map(() => 0)),
      records: () => Promise.resolve([]),
    } satisfies Pick<LogStore, 'seal' | 'records'> as unknown as LogStore,
    deposed: () => {
      happened.push('deposed');
      ended.abort();
    },
    disputed: () => Promise.resolve(),
  };
  const store = { read: () => Promise.resolve(3), write: () => write(++attempts) };
  const count = new PartitionCount(context, store, {
    partitions: (number) => partitionLogs(deliveryKeys(''), number),
    hold: () => Promise.resolve(() => void happened.push(`released with ${count.current}`)),
    onChanged: () => void happened.push('repartitioned'),
  });
  await count.begin();
  await count.look();
  return happened;
}

const lost = () => Promise.reject(new Error('the reply was lost'));
const fenced = () => Promise.reject(new FencedError(2, 3));

it('appends nothing under the old number while Redis may have the new one', async () => {
  expect(await change((attempt) => (attempt < 3 ? lost() : Promise.resolve()))).toEqual([
    'partitions-pending',
    'redis-error',
    'redis-error',
    'repartitioned',
    'partitions-changed',
    'released with 1',
  ]);
});

it('ends when a later term has begun, before anything is appended', async () => {
  expect(await change(fenced)).toEqual(['partitions-pending', 'deposed', 'released with 3']);
});

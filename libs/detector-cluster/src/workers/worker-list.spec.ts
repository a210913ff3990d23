import { describe, expect, it } from 'vitest';
import type { WorkerOption } from './worker-definition.js';
import { WorkerList } from './worker-list.js';

describe('WorkerList', () => {
  it('reads the list again, and keeps the entries that have not changed', async () => {
    const tls = { ca: '-----BEGIN CERTIFICATE-----\nx' };
    const options: WorkerOption[] = ['ws://a', { url: 'wss://b', tls, token: 't', capacity: 1 }];
    const list = new WorkerList([], () => options);
    await list.refresh();
    const [a, b] = list.current;
    expect(list.current.map(({ id, capacity }) => [id, capacity])).toEqual([
      ['ws://a', 100],
      ['wss://b', 1],
    ]);
    await list.refresh();
    expect(list.current[1]).toBe(b);

    options[1] = { url: 'wss://b', tls, token: 't', capacity: 2 };
    await list.refresh();
    expect(list.current[0]).toBe(a);
    expect(list.current[1]!.capacity).toBe(2);
    expect(list.current[1]!.credentials).toBe(b!.credentials);

    options[1] = { url: 'wss://b', tls, token: 'other', capacity: 2 };
    await list.refresh();
    expect(list.current[1]!.credentials).not.toBe(b!.credentials);

    options.length = 1;
    await list.refresh();
    expect(list.current).toEqual([a]);
  });

  it('keeps the last good list when the next cannot be used, and names what is wrong', async () => {
    let options: WorkerOption[] = ['ws://a'];
    const list = new WorkerList([], () => options);
    await list.refresh();
    options = ['ws://a', 'http://b'];
    await expect(list.refresh()).rejects.toThrow('workers[1]');
    options = 'ws://a' as never;
    await expect(list.refresh()).rejects.toThrow('workers');
    expect(list.current.map(({ id }) => id)).toEqual(['ws://a']);
    const broken = new WorkerList([], () => Promise.reject(new Error('away')));
    await expect(broken.refresh()).rejects.toThrow('away');
  });

  it('shares one read between all callers that wait for it', async () => {
    let reads = 0;
    const list = new WorkerList([], async () => {
      reads += 1;
      return ['ws://a'];
    });
    await Promise.all([list.refresh(), list.refresh()]);
    expect(reads).toBe(1);
  });
});

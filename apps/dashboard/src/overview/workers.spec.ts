import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from 'vitest';
import { workerName, byName, findWorkers, sortWorkers, needsAttention, type WorkerSort } from './workers.js';

const worker = (url: string, more: Partial<WorkerRow> = {}) =>
  ({ url, state: 'Ready', standing: 'open', ...more }) as WorkerRow;

describe('byName', () => {
  it('sorts by name, with numbers by value, and ignores the scheme', () => {
    const urls = ['wss://gpu-10:8000', 'ws://gpu-9:8000', 'ws://alpha:1'];
    expect(urls.toSorted(byName)).toEqual(urls.toReversed());
  });
});

describe('workerName', () => {
  it('omits the scheme and a trailing slash', () => {
    expect(workerName('ws://gpu-1:8000/')).toBe('gpu-1:8000');
    expect(workerName('wss://gpu-1/detector')).toBe('gpu-1/detector');
    expect(workerName('something else')).toBe('something else');
  });
});

describe('needsAttention', () => {
  it('is true for every unusual state', () => {
    expect(needsAttention(worker('ws://a'))).toBe(false);
    expect(needsAttention(worker('ws://a', { state: 'Suspect' }))).toBe(true);
    expect(needsAttention(worker('ws://a', { standing: 'cordoned' }))).toBe(true);
  });
});

describe('sortWorkers', () => {
  const workers = [
    worker('ws://gpu-10', { cpuUsage: 5, state: 'Ready', subscriptionCount: 1 }),
    worker('ws://gpu-9', { cpuUsage: null, state: 'Offline', subscriptionCount: 3 }),
    worker('ws://gpu-8', { cpuUsage: 90, state: 'Ready', standing: 'cordoned', subscriptionCount: 3 }),
  ];
  const inOrder = workers.toSorted((a, b) => byName(a.url, b.url));
  const order = (sort: WorkerSort) =>
    sortWorkers(inOrder, sort).map(({ url }) => url.slice('ws://gpu-'.length));

  it('sorts by name, figure and state, and workers with one value by name', () => {
    expect(order('name')).toEqual(['8', '9', '10']);
    expect(order('cpu')).toEqual(['8', '10', '9']);
    expect(order('state')).toEqual(['9', '8', '10']);
    expect(order('load')).toEqual(['8', '9', '10']);
  });
});

describe('findWorkers', () => {
  it('finds every word in the name', () => {
    const urls = ['ws://gpu-1.north:8000', 'ws://gpu-1.south:8000', 'ws://gpu-2.north:8000'];
    const found = findWorkers(
      urls.map((url) => worker(url)),
      'NORTH gpu-1',
    );
    expect(found.map(({ url }) => url)).toEqual([urls[0]]);
    expect(findWorkers([worker('ws://a')], 'ws')).toEqual([]);
  });
});

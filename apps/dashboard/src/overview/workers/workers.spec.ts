import type { WorkerRow } from '@detector-cluster/dashboard-protocol';
import { describe, expect, it } from '@jest/globals';
import { workerName } from './worker-name.js';
import { inOrder } from './worker-order.js';
import { needsAttention } from './worker-tones.js';

const worker = (url: string, more: Partial<WorkerRow> = {}) =>
  ({ url, state: 'Ready', standing: 'open', ...more }) as WorkerRow;

describe('inOrder', () => {
  it('sorts by name, with numbers by value, and ignores the scheme', () => {
    const urls = ['wss://gpu-10:8000', 'ws://gpu-9:8000', 'ws://alpha:1'];
    expect(inOrder(urls.map((url) => worker(url))).map(({ url }) => url)).toEqual(urls.toReversed());
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

import { describe, expect, it } from 'vitest';
import { DrainWatch } from './announce-workers.js';

const worker = (streams: string[], drainSince?: number, current = true) => ({
  url: 'ws://a',
  current,
  reported: new Map(streams.map((id) => [id, { online: true, modelId: 1, fingerprint: null }])),
  ...(drainSince !== undefined && { drainSince }),
});

describe('DrainWatch', () => {
  it('says once that a worker which is being drained is empty', () => {
    const drained: string[] = [];
    const watch = new DrainWatch((url) => drained.push(url));
    watch.look([worker(['d;c'])]);
    watch.look([worker([])]);
    watch.look([worker(['d;c'], 1)]);
    watch.look([worker([], 1, false)]);
    expect(drained).toEqual([]);
    watch.look([worker([], 1)]);
    watch.look([worker([], 1)]);
    expect(drained).toEqual(['ws://a']);
    watch.look([worker([])]);
    watch.look([worker([], 2)]);
    expect(drained).toEqual(['ws://a', 'ws://a']);
  });
});

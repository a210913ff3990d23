import { describe, expect, it } from 'vitest';
import { namesWorker } from './names-worker.js';

const URL_OF_WORKER = 'ws://gpu-1:8000';

describe('namesWorker', () => {
  it.each([
    { url: URL_OF_WORKER },
    { from: URL_OF_WORKER, to: 'ws://gpu-2:8000' },
    { from: 'ws://gpu-2:8000', to: URL_OF_WORKER },
    { target: URL_OF_WORKER },
    { target: 'gpu-1:8000' },
  ])('finds the worker in %j', (event) => {
    expect(namesWorker(event, URL_OF_WORKER)).toBe(true);
  });

  it.each([
    { url: 'ws://gpu-10:8000' },
    { from: 'ws://gpu-2:8000', to: 'ws://gpu-3:8000' },
    { target: 'gpu-10:8000' },
    { target: null },
    {},
  ])('does not find it in %j', (event) => {
    expect(namesWorker(event, URL_OF_WORKER)).toBe(false);
  });

  it('accepts a name that is not a URL', () => {
    expect(namesWorker({ target: 'gpu-1' }, 'gpu-1')).toBe(true);
    expect(namesWorker({ target: 'gpu-2' }, 'gpu-1')).toBe(false);
  });
});

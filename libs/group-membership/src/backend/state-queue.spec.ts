import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { StateQueue } from './state-queue.js';

describe('StateQueue', () => {
  it('delivers entries in order, also to a waiting reader', async () => {
    const queue = new StateQueue<number>();
    const { signal } = new AbortController();
    const first = queue.next(signal);
    queue.push(1);
    queue.push(2);
    expect([await first, await queue.next(signal)]).toEqual([1, 2]);
  });

  it('delivers the remaining entries and then ends when the signal aborts', async () => {
    const queue = new StateQueue<number>();
    const abort = new AbortController();
    const waiting = queue.next(abort.signal);
    abort.abort();
    expect(await waiting).toBeUndefined();
    queue.push(1);
    expect([await queue.next(abort.signal), await queue.next(abort.signal)]).toEqual([1, undefined]);
  });

  it('leaves no listener on a signal that outlives many waits', async () => {
    const queue = new StateQueue<number>();
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i++) {
      const next = queue.next(signal);
      queue.push(i);
      expect(await next).toBe(i);
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

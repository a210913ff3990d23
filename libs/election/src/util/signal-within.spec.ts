import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { signalWithin } from './signal-within.js';

describe('signalWithin', () => {
  it('aborts after the timeout although only a listener knows it and all garbage is collected', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(collect, 5);
    const aborted = new Promise((resolve) => {
      const signal = signalWithin(50, new AbortController().signal);
      signal.addEventListener('abort', () => resolve((signal.reason as Error).name));
    });
    await expect(aborted).resolves.toBe('TimeoutError');
    clearInterval(collecting);
  });

  it('aborts with the reason of the signal', async () => {
    const caller = new AbortController();
    const signal = signalWithin(60_000, caller.signal);
    const aborted = once(signal, 'abort');
    caller.abort('over');
    await aborted;
    expect(signal.reason).toBe('over');
  });
});

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../testing/virtual-clock.js';
import { FencedError } from './fenced.error.js';
import { retryUntilDone } from './retry-until-done.js';

/** Attempts that fail with these errors, and then succeed. */
function setUp(...errors: Error[]) {
  const clock = new VirtualClock();
  const ended = new AbortController();
  const attempts: number[] = [];
  const reported: string[] = [];
  const outcome = retryUntilDone(
    async () => {
      attempts.push(clock.now());
      const error = errors.shift();
      if (error !== undefined) throw error;
      return 'done';
    },
    {
      clock,
      signal: ended.signal,
      delay: (failures) => failures * 100,
      onError: ({ message }, failures) => reported.push(`${failures} ${message}`),
    },
  ).catch((error: unknown) => error);
  const advance = async (duration: number) => {
    await turn();
    clock.advance(duration);
    await turn();
  };
  return { advance, attempts, clock, ended, outcome, reported };
}

describe('retryUntilDone', () => {
  it('reports each failure and pauses until an attempt succeeds', async () => {
    const { advance, attempts, outcome, reported } = setUp(new Error('one'), new Error('two'));
    await advance(99);
    expect(attempts).toEqual([0]);
    await advance(1);
    await advance(200);
    expect(await outcome).toBe('done');
    expect({ attempts, reported }).toEqual({ attempts: [0, 100, 300], reported: ['1 one', '2 two'] });
  });

  it('ends when the fence refuses the term', async () => {
    const fenced = new FencedError(1, 2);
    const { advance, attempts, outcome, reported } = setUp(new Error('one'), fenced);
    await advance(100);
    expect(await outcome).toBe(fenced);
    expect({ attempts, reported }).toEqual({ attempts: [0, 100], reported: ['1 one'] });
  });

  it('ends in a pause with the reason of the signal', async () => {
    const { attempts, clock, ended, outcome } = setUp(new Error('one'));
    await turn();
    const reason = new Error('over');
    ended.abort(reason);
    expect(await outcome).toBe(reason);
    expect({ attempts, timers: clock.pending }).toEqual({ attempts: [0], timers: 0 });
  });
});

import { systemClock } from '@detector-cluster/election';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.js';
import { CallLane } from './call-lane.js';

const MICROTASKS = 40;

describe('CallLane', () => {
  it('sends what comes at any instant around the end of a call', async () => {
    for (let after = 0; after < MICROTASKS; after++) {
      const waiting: string[] = [];
      const sent: string[][] = [];
      const ended = new AbortController();
      const lane = new CallLane<string[]>({
        clock: systemClock,
        signal: ended.signal,
        linger: 1,
        waiting: () => waiting.length > 0,
        compose: () => waiting.splice(0),
        call: async (batch) => {
          sent.push(batch);
          if (sent.length > 1) return;
          void (async () => {
            for (let n = 0; n < after; n++) await Promise.resolve();
            waiting.push('second');
            lane.wake(false);
          })();
        },
        onError: (error) => expect.unreachable(error.message),
      });
      waiting.push('first');
      lane.wake(true);
      await until(
        () => sent.length === 2,
        () => `${after} microtasks after the call`,
      );
      ended.abort();
      expect(sent).toEqual([['first'], ['second']]);
    }
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Regeneration } from './desired-state-store.js';
import { Regenerator, type RegeneratorOptions } from './regenerator.js';

const NOTHING_NEW: Regeneration = {
  skipped: new Map(),
  unreadable: [],
  hintProblems: new Map(),
  changed: [],
  outdated: [],
};

/** A regenerator, and what it does, in order. A read ends when the test ends it. */
function setUp() {
  const done: string[] = [];
  const endRead: (() => void)[] = [];
  const readMore = vi.fn((): Promise<void>[] => []);
  const options = {
    desired: {
      readsSome: false,
      regenerate: async () => {
        done.push('read');
        await new Promise<void>((resolve) => endRead.push(resolve));
        done.push('applied');
        return NOTHING_NEW;
      },
    },
    models: {},
    reconciler: {
      everythingChanged: () => done.push('everything changed'),
      desiredChanged: () => done.push('desired changed'),
    },
    compare: async () => false,
    readMore,
    outages: {},
    calls: {},
    timings: { resyncInterval: 30_000 },
    resync: { set: () => () => undefined },
    requestedKey: '',
    figures: { regenerating: () => undefined, regenerated: () => undefined },
    logger: { debug: () => undefined, error: (message: string) => done.push(message) },
  };
  return { done, endRead, readMore, regenerator: new Regenerator(options as unknown as RegeneratorOptions) };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('Regenerator', () => {
  // The read after a failed one finds nothing new if what the failed one has applied is not passed on.
  it('passes on what a read has applied although Redis did not answer the rest of it, before it reads again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { done, endRead, readMore, regenerator } = setUp();
    const endList: (() => void)[] = [];
    const list = new Promise<void>((resolve) => endList.push(resolve)).then(() => {
      done.push('list read');
    });
    readMore.mockImplementationOnce(() => [Promise.reject(new Error('Command timed out')), list]);
    regenerator.start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(done.splice(0)).toEqual(['read']);
    endRead.shift()!();
    await nextTurn();
    expect(done.splice(0)).toEqual(['applied']);
    endList.shift()!();
    await nextTurn();
    expect(done.splice(0)).toEqual([
      'list read',
      'everything changed',
      'cannot read the desired state: Command timed out; next attempt in 500 ms',
    ]);
    await vi.advanceTimersByTimeAsync(500);
    endRead.shift()!();
    await nextTurn();
    expect(done).toEqual(['read', 'applied', 'desired changed']);
    await regenerator.stop();
  });
});

import { describe, expect, it } from 'vitest';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { resolveGroupOptions } from './resolve-group-options.js';

const store = new MemoryLeaderStore();

describe('resolveGroupOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolveGroupOptions({ store })).toMatchObject({
      group: 'default',
      detector: 'swim',
      quorum: false,
      pingCycle: 1_000,
      failureThreshold: 5,
      leaseTtl: 5_000,
      renewInterval: 1_000,
      joinWait: 1_000,
      busyWait: 5_000,
    });
  });

  it('names all problems at once', () => {
    const wrong = {
      store: {},
      group: '',
      detector: 'gossip',
      quorum: 1,
      pingCycle: 0,
      failureThreshold: 1.5,
    };
    expect(() => resolveGroupOptions(wrong as never)).toThrow(
      expect.objectContaining({
        name: 'InvalidGroupOptionsError',
        problems: [
          expect.stringMatching(/^group /),
          expect.stringMatching(/^store must be a LeaderStore/),
          expect.stringMatching(/^detector must be 'swim' or 'round-robin'/),
          expect.stringMatching(/^quorum /),
          expect.stringMatching(/^pingCycle /),
          expect.stringMatching(/^failureThreshold /),
        ],
      }),
    );
  });

  it('leaves time to repeat a failed renewal', () => {
    expect(() => resolveGroupOptions({ store, leaseTtl: 1_000, renewInterval: 400 })).toThrow(
      /renewInterval \(400\) must be at most a third of leaseTtl \(1000\)/,
    );
  });
});

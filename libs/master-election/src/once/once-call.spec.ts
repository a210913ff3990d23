import type { Lease } from '@detector-cluster/election';
import { VirtualClock } from '@detector-cluster/election/testing';
import { describe, expect, it } from 'vitest';
import { OnceCall } from './once-call.js';
import type { OnceClaim, OnceStore } from './once-store.js';

const leaseTtl = 1_000;

describe('OnceCall', () => {
  it('claims again when a claim is granted so late that it has expired', async () => {
    const clock = new VirtualClock(1_000);
    const owners = new Set<string>();
    const leases: Lease[] = [];
    const store: Pick<OnceStore, 'claim' | 'complete' | 'release'> = {
      claim: (owner): Promise<OnceClaim> => {
        if (owners.size === 0) clock.advance(2 * leaseTtl);
        owners.add(owner);
        return Promise.resolve({ state: 'held', term: owners.size });
      },
      complete: () => Promise.resolve(true),
      release: () => Promise.resolve(),
    };
    const call = new OnceCall({
      key: 'work',
      work: (lease) => void leases.push(lease),
      store: store as OnceStore,
      timeout: 60_000,
      leaseTtl,
      caller: 'a',
      onError: () => undefined,
      clock,
    });
    expect(await call.run()).toBe(true);
    expect(leases.map(({ term }) => term)).toEqual([2]);
    expect(clock.pending).toBe(0);
  });
});

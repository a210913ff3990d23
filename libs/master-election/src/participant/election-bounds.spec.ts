import { resolveElectionTimes } from '@detector-cluster/election/internal/redis';
import type { CrashDetection } from '@detector-cluster/election/redis';
import { describe, expect, it } from 'vitest';
import { electionBounds } from './election-bounds.js';

const boundsOf = (timing: 'default' | 'fast', crashDetection: CrashDetection) =>
  electionBounds(resolveElectionTimes({ timing, crashDetection }).times);

describe('electionBounds', () => {
  it('matches the documentation', () => {
    expect(boundsOf('default', 'presence')).toEqual({ killed: 1_500, lost: 35_500, storeRestarted: 2_000 });
    expect(boundsOf('default', 'lease')).toEqual({ killed: 35_500, lost: 35_500, storeRestarted: 31_000 });
    expect(boundsOf('fast', 'presence')).toEqual({ killed: 1_500, lost: 4_000, storeRestarted: 2_000 });
  });
});

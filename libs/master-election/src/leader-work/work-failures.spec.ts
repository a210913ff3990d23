import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { MasterElection } from '../election/master-election.js';
import { WorkFailures } from './work-failures.js';

describe('WorkFailures', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('logs each kind of failure once with its stack, and again after a minute', () => {
    const lines: unknown[][] = [];
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(Logger.prototype, 'error').mockImplementation((...line: unknown[]) => lines.push(line));
    const failures = new WorkFailures();
    const election = { listenerCount: () => 0 } as Partial<MasterElection> as MasterElection;
    const failed = (cause: unknown) => failures.failed(election, 'Reports.nightly', cause);
    const full = new Error('disk full');
    for (let i = 0; i < 100; i++) failed(full);
    failed('no route');
    now = 59_999;
    failed(full);
    expect(lines).toEqual([
      ['Reports.nightly failed: disk full', full.stack],
      ['Reports.nightly failed: no route', undefined],
    ]);
    now = 60_000;
    failed(full);
    expect(lines).toHaveLength(3);
  });
});

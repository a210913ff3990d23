import { describe, expect, it } from 'vitest';
import { FailureLog } from './failure-log.js';
import { LeaderWorkError } from './leader-work.errors.js';

describe('FailureLog', () => {
  it('logs each kind of failure once, and again after a minute', () => {
    const lines: string[] = [];
    let now = 0;
    const log = new FailureLog({ error: (message: string) => lines.push(message) }, () => now);
    const failure = (text: string) => log.failed(new LeaderWorkError('Reports.nightly', new Error(text)));
    for (let i = 0; i < 100; i++) failure('disk full');
    failure('no route');
    expect(lines).toEqual(['Reports.nightly failed: disk full', 'Reports.nightly failed: no route']);
    now = 60_000;
    failure('disk full');
    expect(lines).toHaveLength(3);
  });
});

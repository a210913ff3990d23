import { describe, expect, it } from 'vitest';
import { NextRun } from './next-run.js';

describe('NextRun', () => {
  it('passes the outcome of the next run to those who waited when it began', async () => {
    const runs = new NextRun<number>();
    const first = runs.next();
    let second!: Promise<number>;
    await runs.serve(async () => {
      second = runs.next();
      return 1;
    });
    const failed = expect(second).rejects.toThrow('fails');
    await expect(runs.serve(() => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
    await failed;
    await expect(first).resolves.toBe(1);
  });

  it('rejects all who wait, or ask later, when no further run begins', async () => {
    const runs = new NextRun<number>();
    const waiting = expect(runs.next()).rejects.toThrow('over');
    runs.rejectAll(new Error('over'));
    await waiting;
    await expect(Promise.race([runs.next(), 'waits'])).rejects.toThrow('over');
  });
});

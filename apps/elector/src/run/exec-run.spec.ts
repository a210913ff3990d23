import type { Lease } from '@detector-cluster/election';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Report } from '../report.js';
import { type ExecOptions, ExecRun } from './exec-run.js';

/** A lease that a test confirms and ends. It gives the guard as much time as it wants. */
class GivenLease implements Lease {
  readonly term = 1;
  readonly exclusiveUntil = Infinity;
  confirmed = false;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private settle!: { resolve: () => void; reject: (error: Error) => void };
  private readonly waiting = new Promise<void>((resolve, reject) => (this.settle = { resolve, reject }));

  isValid(): boolean {
    return this.confirmed;
  }

  ready(): Promise<void> {
    return this.confirmed ? Promise.resolve() : this.waiting;
  }

  waitUntil(): void {}

  confirm(): void {
    this.confirmed = true;
    this.settle.resolve();
  }

  lose(): void {
    this.controller.abort();
    this.settle.reject(new Error('lost'));
  }
}

/** A command that ends by itself, under a lease that is not confirmed at that moment. */
async function ended(restart: ExecOptions['restart']) {
  const lease = new GivenLease();
  const events: string[] = [];
  const write = (line: string) => events.push((JSON.parse(line) as { event: string }).event);
  const stop = vi.fn();
  const run = new ExecRun(
    {
      instanceId: 'me',
      file: 'sh',
      args: ['-c', 'kill -KILL $$'],
      restart,
      restartDelay: 1,
      renewDeadline: Infinity,
      killAfter: 1_000,
      errorTimeout: 1_000,
      stopTimeout: 1_000,
      json: true,
      surroundings: { env: process.env, input: 'ignore', terminal: false },
    },
    new Report(true, 'me', { out: { write }, err: { write } }),
    stop,
  );
  await run.begin(lease);
  const happens = (event: string, times: number) =>
    vi.waitFor(() => expect(events.filter((each) => each === event)).toHaveLength(times), 20_000);
  await happens('command-ended', 1);
  return { lease, stop, happens };
}

/** Longer than anything that follows from what has happened. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

describe('a command that ends before its lease is confirmed again', () => {
  it('was ended by the guard, so the program waits for the next term when the lease is lost', async () => {
    const { lease, stop } = await ended('on-loss');
    lease.lose();
    await settled();
    expect(stop).not.toHaveBeenCalled();
  });

  it('runs again when the lease is confirmed after all', async () => {
    const { lease, stop, happens } = await ended('on-loss');
    lease.confirm();
    await happens('command-started', 2);
    // Now it ends by itself.
    await happens('command-ended', 2);
    await vi.waitFor(() => expect(stop).toHaveBeenCalledWith('sh has ended', 137), 20_000);
  });

  it('ends the program that restarts nothing', async () => {
    const { lease, stop } = await ended('never');
    lease.lose();
    await vi.waitFor(() => expect(stop).toHaveBeenCalledWith('leadership was lost', 1), 20_000);
  });
});

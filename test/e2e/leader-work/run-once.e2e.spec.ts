import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { endChild } from '../../support/end-child.js';
import type { JournalEntry } from '../../support/leader-process.js';
import { TIMEOUT } from '../support/cluster.js';
import { mastersOf, useLeaderProcesses } from '../support/leader-processes.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

/** Short enough for a test that waits for its end, long enough for a process of a busy machine that must keep it. Milliseconds. */
const LEASE_TTL = 6_000;

const work = (duration: number) => ({ once: { key: 'work', duration, options: { leaseTtl: LEASE_TTL } } });

const onceEvents = (all: JournalEntry[]) =>
  all.filter(({ event }) => event.startsWith('once')).map(({ name, event }) => `${name} ${event}`);

describe('runOnce', () => {
  const processes = useLeaderProcesses();

  it('does work once although the master is of an earlier version and does not know it', async () => {
    processes().start('old');
    await processes().until('the first process leads', (all) => mastersOf(all).includes('old'));
    processes().start('new', work(100));
    const all = await processes().until('done', (seen) => onceEvents(seen).includes('new once resolved'));
    expect(all.filter(({ event }) => event === 'acquired').map(({ name }) => name)).toEqual(['old']);
    expect(onceEvents(all)).toEqual(['new once begun', 'new once resolved']);
  });

  it('does work again if the process that did it has died', async () => {
    const first = processes().start('first', work(120_000));
    await processes().until('begun', (all) => onceEvents(all).includes('first once begun'));
    processes().start('second', work(100));
    await sleep(500);
    expect(onceEvents(await processes().entries())).toEqual(['first once begun']);
    await endChild(first);
    const all = await processes().until('done', (seen) => onceEvents(seen).includes('second once resolved'));
    expect(onceEvents(all)).toEqual(['first once begun', 'second once begun', 'second once resolved']);
    const terms = all.filter(({ event }) => event === 'once begun').map(({ term }) => term!);
    expect(terms[1]).toBeGreaterThan(terms[0]!);
    expect(all.find(({ event }) => event === 'once resolved')).toMatchObject({ ran: true });
  });

  it('ends the work of a process that was frozen, and reports that another has done it', async () => {
    const first = processes().start('first', work(120_000));
    await processes().until('begun', (all) => onceEvents(all).includes('first once begun'));
    first.kill('SIGSTOP');
    processes().start('second', work(100));
    await processes().until('done', (seen) => onceEvents(seen).includes('second once resolved'));
    first.kill('SIGCONT');
    const all = await processes().until('known', (seen) => onceEvents(seen).includes('first once resolved'));
    expect(onceEvents(all)).toEqual([
      'first once begun',
      'second once begun',
      'second once resolved',
      'first once aborted',
      'first once resolved',
    ]);
    const resolved = all.filter(({ event }) => event === 'once resolved');
    expect(resolved.map(({ ran }) => ran)).toEqual([true, false]);
  });
});

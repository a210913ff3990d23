import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { endChild } from '../../support/end-child.js';
import type { JournalEntry } from '../../support/leader-process.js';
import { TIMEOUT } from '../support/cluster.js';
import { mastersOf, useLeaderProcesses } from '../support/leader-processes.js';

vi.setConfig({ testTimeout: 3 * TIMEOUT, hookTimeout: 3 * TIMEOUT });

const startsOf = (all: JournalEntry[], job: string) => all.filter((entry) => entry.job === job);

const acquired = (name: string) => (all: JournalEntry[]) => mastersOf(all).includes(name);

describe('scheduled jobs', () => {
  const processes = useLeaderProcesses();

  it('starts each tick at most once, in whatever way masters end', async () => {
    const jobs = [
      { name: 'plain', period: 100 },
      { name: 'catching up', period: 100, catchUp: true },
    ];
    let number = 0;
    const next = () => processes().start(`process ${number++}`, { jobs });
    next();
    next();
    next();
    const ends = ['SIGKILL', 'SIGTERM', 'SIGSTOP', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const;
    const ended = new Set<string>();
    /** The last process that became master, unless this test has ended it. */
    const masterIn = (seen: JournalEntry[]) =>
      mastersOf(seen)
        .slice(-1)
        .find((name) => !ended.has(name));
    for (const [round, end] of ends.entries()) {
      const all = await processes().until(`master ${round}`, (seen) => masterIn(seen) !== undefined);
      const name = masterIn(all)!;
      const before = all.length;
      await processes().until(
        'some ticks',
        (seen) =>
          seen.slice(before).filter((entry) => entry.name === name && entry.job === 'plain').length >= 5,
      );
      const master = processes().get(name);
      ended.add(name);
      master.kill(end);
      if (end === 'SIGSTOP') {
        await processes().until('a successor of the frozen one', (seen) => mastersOf(seen).at(-1) !== name);
        master.kill('SIGCONT');
        await sleep(300);
        await endChild(master);
      }
      next();
    }
    const all = await processes().until('ticks of the last master', (seen) => {
      const name = masterIn(seen);
      const own = seen.slice(seen.findLastIndex((entry) => entry.event === 'acquired'));
      return name !== undefined && own.filter((entry) => entry.name === name).length > 10;
    });
    for (const { name } of jobs) {
      const ticks = startsOf(all, name).map(({ tick }) => tick!);
      expect(ticks.length).toBeGreaterThan(5 * ends.length);
      expect(ticks.length - new Set(ticks).size).toBe(0);
      expect(ticks.filter((tick) => tick % 100 !== 0)).toEqual([]);
    }
    expect(startsOf(all, 'plain').filter(({ late }) => late)).toEqual([]);
    const lateStarts = startsOf(all, 'catching up').filter(({ late }) => late);
    expect(lateStarts.length).toBeGreaterThan(0);
    expect(new Set(lateStarts.map(({ term }) => term)).size).toBe(lateStarts.length);
  });

  it('skips a tick that was due without a master, or starts it once late', async () => {
    const period = 2_000;
    const jobs = [
      { name: 'plain', period },
      { name: 'catching up', period, catchUp: true },
    ];
    const first = processes().start('first', { jobs });
    const before = await processes().until('both have run', (all) => startsOf(all, 'catching up').length > 0);
    await endChild(first);
    const missed = startsOf(before, 'catching up').at(-1)!.tick! + period;
    while (Date.now() <= missed) await sleep(50);
    processes().start('second', { jobs });
    const all = await processes().until('the second has run both', (seen) => {
      const own = seen.filter(({ name }) => name === 'second');
      return startsOf(own, 'plain').length > 0 && startsOf(own, 'catching up').length > 1;
    });
    const own = all.filter(({ name }) => name === 'second');
    const { at } = own.find(({ event }) => event === 'acquired')!;
    const [caughtUp, regular] = startsOf(own, 'catching up');
    expect(caughtUp!.tick).toBeGreaterThanOrEqual(missed);
    expect(caughtUp!.late).toBe(caughtUp!.tick! <= at);
    expect(regular).toMatchObject({ tick: caughtUp!.tick! + period, late: false });
    // A tick that is due just after the election overtakes those that were missed. It is not late, so both jobs start it.
    const firstRegular = caughtUp!.late ? regular! : caughtUp!;
    expect(startsOf(own, 'plain')[0]).toMatchObject({ late: false, tick: firstRegular.tick });
  });

  it('leaves a job alone while a master of an earlier version leads, and then runs it', async () => {
    const old = processes().start('old');
    await processes().until('the first process leads', acquired('old'));
    processes().start('new', { jobs: [{ name: 'job', period: 50 }] });
    await processes().untilRegistered(2);
    await sleep(500);
    expect(startsOf(await processes().entries(), 'job')).toEqual([]);
    old.kill('SIGTERM');
    const all = await processes().until('the job runs', (seen) => startsOf(seen, 'job').length > 2);
    expect(startsOf(all, 'job').every(({ name }) => name === 'new')).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../testing/simulated-clock.js';
import type { LeaderRecord } from '../store/leader-record.js';
import type { JoinAnswer } from '../transport/message.js';
import { joinGroup, type JoinResult } from './join-group.js';

const record = (address: string): LeaderRecord => ({
  version: 1,
  group: 'test',
  epoch: 5,
  term: 7,
  revision: 9,
  leaseTtl: 5_000,
  lastId: 3,
  leader: { id: 3, address, name: 'leader', boot: 'b3' },
  voters: [],
});
const accepted: JoinAnswer = {
  outcome: 'accepted',
  id: 4,
  incarnation: 0,
  leader: { id: 3, address: 'leader:1', name: 'leader', term: 7, revision: 9, leaseTtl: 5_000, barred: 0 },
  members: [],
};

interface Scene {
  /** The result of each read; the last one repeats. An error: the store is unavailable. */
  reads: (LeaderRecord | null | Error)[];
  /** The leader's answers; the last one repeats. `null`: no answer. */
  answers?: (JoinAnswer | null)[];
  /** When the store has been empty for long enough. */
  foundAfter?: number;
}

/** Takes the first entry of the list; the last entry repeats. */
const next = <Item>(items: Item[]) => (items.length > 1 ? items.shift()! : items[0]!);

/** Runs the protocol with waits of the full length. */
async function play({ reads, answers = [], foundAfter }: Scene) {
  const clock = new SimulatedClock();
  const log: string[] = [];
  let result: JoinResult | undefined;
  let error: unknown;
  const waits: number[] = [];
  const joining = joinGroup({
    clock: {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      clearTimeout: (handle) => clock.clearTimeout(handle),
      setTimeout: (callback, delay) => {
        waits.push(delay);
        return clock.setTimeout(callback, delay);
      },
    },
    random: () => 0.999,
    address: 'me:1',
    joinWait: 1_000,
    busyWait: 5_000,
    emptyFor: () => (foundAfter === undefined ? Infinity : foundAfter - clock.now()),
    signal: new AbortController().signal,
    read: () => {
      log.push('read');
      const found = next(reads);
      return found instanceof Error ? Promise.reject(found) : Promise.resolve({ text: '', record: found });
    },
    request: () => {
      log.push('JOIN');
      return Promise.resolve(next(answers));
    },
    failed: () => log.push('failed'),
  }).then(
    (value) => (result = value),
    (thrown: unknown) => (error = thrown),
  );
  await clock.advance(60_000);
  await joining;
  const count = (what: string) => log.filter((each) => each === what).length;
  return { result, error, waits, reads: count('read'), joins: count('JOIN') };
}

describe('joinGroup', () => {
  it('joins through the leader that the store names', async () => {
    const { result, reads, joins, waits } = await play({ reads: [record('leader:1')], answers: [accepted] });
    expect(result).toEqual({ outcome: 'accepted', answer: accepted, epoch: 5 });
    expect({ reads, joins, waits }).toEqual({ reads: 1, joins: 1, waits: [] });
  });

  it('reads three times in each of four attempts, with random waits of at most 1 s, and then finds no leader', async () => {
    const { result, reads, waits } = await play({ reads: [null] });
    expect(result).toEqual({ outcome: 'no-leader' });
    expect(reads).toBe(12);
    expect(waits).toEqual(Array.from({ length: 12 }, () => 1_000));
  });

  it('stops looking for a leader as soon as the store has been empty for long enough', async () => {
    const { result, reads, waits } = await play({ reads: [null], foundAfter: 1_500 });
    expect(result).toEqual({ outcome: 'no-leader' });
    expect([reads, waits]).toEqual([3, [1_000, 500]]);
  });

  it('finds a leader that only the last read returns', async () => {
    const reads = [...Array.from({ length: 11 }, () => null), record('leader:1')];
    expect((await play({ reads, answers: [accepted] })).result).toMatchObject({ outcome: 'accepted' });
  });

  it('finds no leader when the recorded leader gave up', async () => {
    const { result, joins } = await play({ reads: [{ ...record('leader:1'), leader: null }] });
    expect([result, joins]).toEqual([{ outcome: 'no-leader' }, 0]);
  });

  it('finds no leader when the recorded leader cannot be reached in four attempts', async () => {
    const { result, joins, waits } = await play({ reads: [record('leader:1')], answers: [null] });
    expect([result, joins, waits]).toEqual([{ outcome: 'no-leader' }, 4, [1_000, 1_000, 1_000, 1_000]]);
  });

  it('finds no leader when the record holds its own address', async () => {
    const { result, joins, waits } = await play({ reads: [record('me:1')] });
    expect([result, joins, waits.length]).toEqual([{ outcome: 'no-leader' }, 0, 4]);
  });

  it('gives up after four attempts when the recorded process does not lead', async () => {
    const { error, joins, waits } = await play({
      reads: [record('leader:1')],
      answers: [{ outcome: 'not-leader' }],
    });
    expect(error).toMatchObject({ name: 'JoinError', failure: 'not-leader' });
    expect([joins, waits]).toEqual([4, [1_000, 1_000, 1_000, 1_000]]);
  });

  it('waits 5 s when its address is in use, and names the holder after four attempts', async () => {
    const { error, joins, waits } = await play({
      reads: [record('leader:1')],
      answers: [{ outcome: 'address-in-use', holder: 2 }],
    });
    expect(error).toMatchObject({ name: 'AddressInUseError', address: 'me:1', holder: 2 });
    expect((error as Error).message).toMatch(/internalAddress me:1: member 2 has it/);
    expect([joins, waits]).toEqual([4, [5_000, 5_000, 5_000, 5_000]]);
  });

  it('joins when its address is free again', async () => {
    const answers: JoinAnswer[] = [{ outcome: 'address-in-use', holder: 2 }, accepted];
    expect((await play({ reads: [record('leader:1')], answers })).result).toMatchObject({
      outcome: 'accepted',
    });
  });

  it('waits 5 s after an error of the leader, and reports the error after four attempts', async () => {
    const { error, waits } = await play({
      reads: [record('leader:1')],
      answers: [{ outcome: 'error', reason: 'the store is full' }],
    });
    expect(error).toMatchObject({ failure: 'unknown-error' });
    expect((error as Error).message).toContain('the store is full');
    expect(waits).toEqual([5_000, 5_000, 5_000, 5_000]);
  });

  it('never treats an unavailable store as an empty one', async () => {
    const { error, reads } = await play({ reads: [new Error('connection refused')] });
    expect(error).toMatchObject({ name: 'JoinError', failure: 'store-unreachable' });
    expect((error as Error).message).toContain('connection refused');
    expect(reads).toBe(12);
  });

  it('reports the result of the last attempt', async () => {
    const reads = [...Array.from({ length: 9 }, () => new Error('away')), null];
    expect((await play({ reads })).result).toEqual({ outcome: 'no-leader' });
  });
});

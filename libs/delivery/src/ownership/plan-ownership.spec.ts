import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OwnerRecord } from '../log/log-store.js';
import { planOwnership, type OwnershipInput, type OwnershipStep } from './plan-ownership.js';

const record = (process: string, next = '', epoch = '1.1'): OwnerRecord => ({
  process,
  epoch,
  next,
  origin: 'new',
  term: 1,
  detections: 0,
  bytes: 0,
  dropped: 0,
});

const names = ['a', 'b', 'c', 'd'];

const situation = fc
  .record({
    candidates: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
    alive: fc.uniqueArray(fc.constantFrom(...names)),
    maxHandOvers: fc.integer({ min: 1, max: 4 }),
    owners: fc.array(
      fc.record({
        process: fc.constantFrom(...names, 'gone', ''),
        next: fc.constantFrom(...names, 'gone', ''),
        rate: fc.integer({ min: 0, max: 100 }),
      }),
      { minLength: 1, maxLength: 32 },
    ),
  })
  .map(({ candidates, alive, maxHandOvers, owners }): OwnershipInput => ({
    candidates,
    alive: new Set([...candidates, ...alive]),
    maxHandOvers,
    records: owners.map(({ process, next }) => record(process, process === '' ? '' : next)),
    rates: new Map(owners.map(({ rate }, partition) => [partition, rate])),
  }));

function apply(records: readonly OwnerRecord[], steps: readonly OwnershipStep[]): OwnerRecord[] {
  const after = [...records];
  for (const { partition, action, to } of steps)
    after[partition] =
      action === 'take' ? record(to) : { ...after[partition]!, next: action === 'hand-over' ? to : '' };
  return after;
}

/** Every owner that is asked to hand over does so. */
const released = (records: readonly OwnerRecord[]) =>
  records.map((each) => (each.next === '' ? each : record(each.next)));

describe('planOwnership', () => {
  it('takes the partitions of processes that are gone at once, and no others', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const steps = planOwnership(input);
        for (const [partition, { process }] of input.records.entries()) {
          const taken = steps.some((step) => step.partition === partition && step.action === 'take');
          expect(taken).toBe(!input.alive.has(process));
        }
      }),
    );
  });

  it('names only candidates, and the record that each step rests on', () => {
    fc.assert(
      fc.property(situation, (input) => {
        for (const { to, expected, partition } of planOwnership(input)) {
          expect(input.candidates).toContain(to);
          expect(expected).toBe(input.records[partition]!.epoch);
        }
      }),
    );
  });

  it('reaches living owners with no hand-over under way, and then rests', () => {
    fc.assert(
      fc.property(situation, (input) => {
        let { records } = input;
        for (let pass = 0; pass < 100; pass++) {
          const steps = planOwnership({ ...input, records });
          records = released(apply(records, steps));
          if (steps.length === 0) break;
        }
        expect(planOwnership({ ...input, records })).toEqual([]);
        for (const { process, next } of records) {
          expect(input.candidates).toContain(process);
          expect(next).toBe('');
        }
      }),
    );
  });

  it('hands over at most `maxHandOvers` partitions at a time between candidates', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const records = input.records.map(({ process }) =>
          record(input.candidates.includes(process) ? process : input.candidates[0]!),
        );
        const steps = planOwnership({ ...input, records });
        expect(steps.every(({ action }) => action === 'hand-over')).toBe(true);
        expect(steps.length).toBeLessThanOrEqual(input.maxHandOvers);
        // They count until they are done.
        const underWay = apply(records, steps);
        const more = planOwnership({ ...input, records: underWay }).filter(
          ({ action }) => action === 'hand-over',
        );
        expect(steps.length + more.length).toBeLessThanOrEqual(input.maxHandOvers);
      }),
    );
  });

  it('leaves a partition to its living owner if the process it was meant for is gone', () => {
    const input = {
      candidates: ['a'],
      alive: new Set(['a']),
      rates: new Map<number, number>(),
      maxHandOvers: 1,
    };
    expect(planOwnership({ ...input, records: [record('a', 'b')] })).toEqual([
      { partition: 0, action: 'keep', to: 'a', expected: '1.1' },
    ]);
  });

  it('leaves to an absent process what it owns', () => {
    fc.assert(
      fc.property(situation, fc.subarray(names), (input, away) => {
        const absent = new Set(away);
        const candidates = input.candidates.filter((id) => !absent.has(id));
        const steps = planOwnership({ ...input, candidates, absent });
        for (const [partition, { process }] of input.records.entries()) {
          const step = steps.find((each) => each.partition === partition);
          if (input.alive.has(process) && absent.has(process)) expect(step).toBeUndefined();
          else if (!input.alive.has(process) && candidates.length > 0) expect(step?.action).toBe('take');
        }
      }),
    );
  });

  it('changes nothing without candidates', () => {
    const input = {
      candidates: [],
      alive: new Set(['a']),
      rates: new Map<number, number>(),
      maxHandOvers: 1,
    };
    expect(planOwnership({ ...input, records: [record('gone'), record('a', 'b')] })).toEqual([]);
  });
});

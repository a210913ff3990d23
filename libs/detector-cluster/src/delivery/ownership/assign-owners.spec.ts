import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { assignOwners, type AssignOwnersInput } from './assign-owners.js';

const none = new Map<string, string>();
const noRates = new Map<string, number>();

/** Carries out what a plan proposes. */
function execute(input: AssignOwnersInput): Map<string, string> {
  const { assignments, moves } = assignOwners(input);
  const after = new Map(assignments);
  for (const { workerUrl, from, to } of moves) {
    expect(after.get(workerUrl)).toBe(from);
    after.set(workerUrl, to);
  }
  return after;
}

const situation = fc
  .record({
    members: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
    rates: fc.dictionary(
      fc.stringMatching(/^w[0-9]{1,2}$/),
      fc.option(fc.double({ min: 0, max: 1_000, noNaN: true })),
    ),
    owners: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'gone'), { maxLength: 12 }),
  })
  .map(({ members, rates, owners }): AssignOwnersInput & { members: string[]; workers: string[] } => {
    const workers = Object.keys(rates);
    return {
      members,
      workers,
      current: new Map(workers.flatMap((worker, i) => (owners[i] ? [[worker, owners[i]] as const] : []))),
      rates: new Map(
        Object.entries(rates).flatMap(([worker, rate]) => (rate === null ? [] : [[worker, rate] as const])),
      ),
    };
  });

describe('assignOwners', () => {
  it('gives every worker one living owner', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const after = execute(input);
        expect([...after.keys()].sort()).toEqual([...input.workers].sort());
        for (const owner of after.values()) expect(input.members).toContain(owner);
      }),
    );
  });

  it('is sticky: takes a worker from a living owner only as a proposed move, at most a share of them', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const { assignments, forced, moves } = assignOwners(input);
        for (const [worker, owner] of input.current)
          if (input.members.includes(owner)) expect(assignments.get(worker)).toBe(owner);
          else expect(forced).toContain(worker);
        expect(moves.length).toBeLessThanOrEqual(Math.ceil(input.workers.length / input.members.length));
        expect(new Set(moves.map(({ workerUrl }) => workerUrl)).size).toBeLessThanOrEqual(moves.length);
      }),
    );
  });

  it('does not depend on the order of the workers', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const reversed = {
          ...input,
          workers: input.workers.toReversed(),
          current: new Map([...input.current].toReversed()),
        };
        expect(assignOwners(reversed)).toEqual(assignOwners(input));
      }),
    );
  });

  it('comes to rest: repeated, it proposes nothing after a few rounds', () => {
    fc.assert(
      fc.property(situation, (input) => {
        let current: ReadonlyMap<string, string> = input.current;
        for (let round = 0; round < 20; round++) current = execute({ ...input, current });
        expect(assignOwners({ ...input, current })).toMatchObject({ forced: [], moves: [] });
      }),
    );
  });

  it('never makes the most loaded member more loaded by a move', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const rates = new Map(input.workers.map((worker) => [worker, 1 + (input.rates.get(worker) ?? 0)]));
        const heaviest = (owners: ReadonlyMap<string, string>) => {
          const loads = new Map<string, number>();
          for (const [worker, owner] of owners)
            loads.set(owner, (loads.get(owner) ?? 0) + rates.get(worker)!);
          return Math.max(0, ...loads.values());
        };
        const before = assignOwners({ ...input, rates }).assignments;
        // The least weight of a quiet worker counts a little more than its rate.
        expect(heaviest(execute({ ...input, rates }))).toBeLessThanOrEqual(heaviest(before) * 1.2 + 1e-9);
      }),
    );
  });

  it('spreads by count when no rates are known, by rate when they are', () => {
    const workers = ['w1', 'w2', 'w3', 'w4'];
    const members = ['a', 'b'];
    expect([...execute({ members, workers, current: none, rates: noRates }).values()].sort()).toEqual([
      'a',
      'a',
      'b',
      'b',
    ]);
    const rates = new Map([
      ['w1', 90],
      ['w2', 30],
      ['w3', 30],
      ['w4', 30],
    ]);
    const byRate = execute({ members, workers, current: none, rates });
    expect(workers.filter((worker) => byRate.get(worker) === byRate.get('w1'))).toEqual(['w1']);
  });

  it('gives a joiner its share, and takes from a leaver only its own', () => {
    const workers = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
    const two = execute({ members: ['a', 'b'], workers, current: none, rates: noRates });
    const three = assignOwners({ members: ['a', 'b', 'c'], workers, current: two, rates: noRates });
    expect(three.forced).toEqual([]);
    expect(three.moves).toHaveLength(2);
    expect(three.moves.every(({ to }) => to === 'c')).toBe(true);
    const left = assignOwners({ members: ['b'], workers, current: two, rates: noRates });
    expect(left.forced.every((worker) => two.get(worker) === 'a')).toBe(true);
    expect(left.moves).toEqual([]);
  });

  it('leaves everything alone where nobody can own', () => {
    expect(assignOwners({ members: [], workers: ['w'], current: none, rates: noRates })).toEqual({
      assignments: new Map(),
      forced: [],
      moves: [],
    });
  });
});

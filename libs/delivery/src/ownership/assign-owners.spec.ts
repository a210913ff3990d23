import { describe, expect, it } from 'vitest';
import { assignOwners, type AssignOwnersInput } from './plan-ownership.js';
import * as fc from 'fast-check';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

const noRates = new Map<number, number>();

/** Partitions 0, 1, … without owners. */
const unowned = (count: number) => new Map(upTo(count).map((partition) => [partition, '']));

/** Carries out what a plan proposes. */
function execute(input: AssignOwnersInput): Map<number, string> {
  const { assignments, moves } = assignOwners(input);
  const after = new Map(assignments);
  for (const { partition, to } of moves) after.set(partition, to);
  return after;
}

const situation = fc
  .record({
    members: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
    partitions: fc.array(
      fc.record({
        owner: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'gone', ''),
        rate: fc.option(fc.double({ min: 0, max: 1_000, noNaN: true })),
      }),
      { maxLength: 64 },
    ),
    workloads: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 100 }))),
  })
  .map(({ members, partitions, workloads }): AssignOwnersInput => ({
    members,
    workloads: new Map(workloads),
    current: new Map(partitions.map(({ owner }, partition) => [partition, owner])),
    rates: new Map(
      partitions.flatMap(({ rate }, partition) => (rate === null ? [] : [[partition, rate] as const])),
    ),
  }));

describe('assignOwners', () => {
  it('gives every partition one member as its owner', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const after = execute(input);
        expect([...after.keys()].sort()).toEqual([...input.current.keys()].sort());
        for (const owner of after.values()) expect(input.members).toContain(owner);
      }),
    );
  });

  it('is sticky: it takes a partition from a member only by a proposed move, and proposes at most a share of them', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const { assignments, moves } = assignOwners(input);
        for (const [partition, owner] of input.current)
          if (input.members.includes(owner)) expect(assignments.get(partition)).toBe(owner);
        expect(moves.length).toBeLessThanOrEqual(Math.ceil(input.current.size / input.members.length));
      }),
    );
  });

  it('proposes no more moves than the caller allows', () => {
    fc.assert(
      fc.property(situation, fc.nat(5), (input, maxMoves) => {
        expect(assignOwners({ ...input, maxMoves }).moves.length).toBeLessThanOrEqual(maxMoves);
      }),
    );
  });

  it('does not depend on the order of the partitions', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const reversed = { ...input, current: new Map([...input.current].toReversed()) };
        expect(assignOwners(reversed)).toEqual(assignOwners(input));
      }),
    );
  });

  it('proposes nothing more after a few rounds', () => {
    fc.assert(
      fc.property(situation, (input) => {
        let { current } = input;
        for (let round = 0; round < 20; round++) current = execute({ ...input, current });
        expect(assignOwners({ ...input, current })).toEqual({ assignments: current, moves: [] });
      }),
    );
  });

  it('never makes the most loaded member more loaded by a move', () => {
    fc.assert(
      fc.property(situation, (input) => {
        const rates = new Map(
          [...input.current.keys()].map((partition) => [partition, 1 + (input.rates.get(partition) ?? 0)]),
        );
        const heaviest = (owners: ReadonlyMap<number, string>) => {
          const loads = new Map<string, number>();
          for (const [partition, owner] of owners)
            loads.set(owner, (loads.get(owner) ?? 0) + rates.get(partition)!);
          return Math.max(0, ...loads.values());
        };
        const before = assignOwners({ ...input, workloads: new Map(), rates }).assignments;
        // The least weight of a quiet partition is a little more than its rate.
        expect(heaviest(execute({ ...input, workloads: new Map(), rates }))).toBeLessThanOrEqual(
          heaviest(before) * 1.2 + 1e-9,
        );
      }),
    );
  });

  it('gives each member as many partitions as its workload says, and moves some when the workload changes', () => {
    const members = ['a', 'b', 'c'];
    const countOf = (owners: ReadonlyMap<number, string>) =>
      members.map((member) => [...owners.values()].filter((owner) => owner === member).length);
    const first = execute({
      members,
      current: unowned(32),
      rates: noRates,
      workloads: new Map([
        ['a', 80],
        ['b', 40],
        ['c', 40],
      ]),
    });
    expect(countOf(first)).toEqual([16, 8, 8]);
    let current: ReadonlyMap<number, string> = first;
    for (let round = 0; round < 10; round++)
      current = execute({
        members,
        current,
        rates: noRates,
        workloads: new Map([
          ['a', 10],
          ['b', 80],
          ['c', 80],
        ]),
      });
    const [a, b, c] = countOf(current);
    expect(a).toBeLessThanOrEqual(3);
    expect(Math.abs(b! - c!)).toBeLessThanOrEqual(4);
  });

  it('spreads by number while no rate is known, and by rate afterwards', () => {
    const members = ['a', 'b'];
    const byNumber = execute({ members, current: unowned(4), rates: noRates });
    expect([...byNumber.values()].sort()).toEqual(['a', 'a', 'b', 'b']);
    const rates = new Map([
      [0, 90],
      [1, 30],
      [2, 30],
      [3, 30],
    ]);
    const byRate = execute({ members, current: unowned(4), rates });
    expect([...byRate].filter(([, owner]) => owner === byRate.get(0))).toHaveLength(1);
  });

  it('gives a new member its share, and moves only the partitions of a member that has left', () => {
    const two = execute({ members: ['a', 'b'], current: unowned(6), rates: noRates });
    const three = assignOwners({ members: ['a', 'b', 'c'], current: two, rates: noRates });
    expect(three.assignments).toEqual(two);
    expect(three.moves).toHaveLength(2);
    expect(three.moves.every(({ to }) => to === 'c')).toBe(true);
    const left = assignOwners({ members: ['b'], current: two, rates: noRates });
    expect([...left.assignments.values()]).toEqual(['b', 'b', 'b', 'b', 'b', 'b']);
    expect(left.moves).toEqual([]);
  });

  it.each([2, 3, 8, 32, 256])('gives a second member its part of %i equal partitions', (count) => {
    const { moves } = assignOwners({
      members: ['a', 'b'],
      current: new Map([...unowned(count).keys()].map((partition) => [partition, 'a'])),
      rates: noRates,
    });
    const gap = count - 2 * moves.length;
    expect(gap).toBeGreaterThanOrEqual(0);
    // The tolerance is 30 % of the mean load; an odd partition cannot be shared.
    expect(gap).toBeLessThanOrEqual(Math.max(1, 0.3 * (count / 2)));
  });

  it('spreads a few busy partitions although the load of the quiet ones around them is even', () => {
    const busy = [0, 1, 2, 3, 4, 5];
    const current = new Map(upTo(32).map((partition) => [partition, partition < 16 ? 'a' : 'b']));
    const rates = new Map(upTo(32).map((partition) => [partition, busy.includes(partition) ? 5 : 0]));
    const after = execute({ members: ['a', 'b'], current, rates });
    expect(busy.filter((partition) => after.get(partition) === 'a')).toHaveLength(3);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Member, MemberView } from './member-view.js';
import { CATCH_UP, Gossip, PIGGYBACK } from './gossip.js';

const member = (id: number, status: Member['status'] = 'alive', incarnation = 0): Member => ({
  id,
  address: `host:${id}`,
  boot: `boot${id}`,
  status,
  incarnation,
});
const updates = fc.array(
  fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom<Member['status']>('alive', 'suspect', 'failed'),
      fc.nat({ max: 3 }),
    )
    .map(([id, status, incarnation]) => member(id, status, incarnation)),
  { maxLength: 12 },
);
const viewOf = (all: readonly Member[]) => {
  const view = new MemberView();
  for (const update of all) view.apply(update);
  return view;
};
const states = (view: MemberView) =>
  [...view.all()]
    .map(({ id, status, incarnation }) => `${id} ${status} ${status === 'failed' ? '' : incarnation}`)
    .sort();

describe('MemberView', () => {
  it('converges to the same state and digest in any order', () => {
    fc.assert(
      fc.property(updates, fc.func(fc.nat()), (all, order) => {
        const shuffled = [...all].sort((a, b) => order(a) - order(b));
        const [one, other] = [viewOf(all), viewOf(shuffled)];
        expect(states(one)).toEqual(states(other));
        expect(one.digest).toBe(other.digest);
        expect(one.activeCount).toBe(other.activeCount);
      }),
    );
  });

  it.each([
    ['a suspicion of the same incarnation', 'alive', 'suspect', 0, true],
    ['a refutation', 'suspect', 'alive', 1, true],
    ['an old claim to live', 'suspect', 'alive', 0, false],
    ['a claim to live after a failure', 'failed', 'alive', 9, false],
    ['a failure', 'alive', 'failed', 0, true],
    ['a failure after the departure', 'departed', 'failed', 9, false],
  ] as const)('%s', (_what, before, after, incarnation, isNews) => {
    const view = viewOf([member(1, before)]);
    expect(view.apply(member(1, after, incarnation))).toBe(isNews);
    expect(view.get(1)!.status).toBe(isNews ? after : before);
  });

  it('has a different digest for every difference of an active member', () => {
    const digests = [
      [],
      [member(1)],
      [member(2)],
      [member(1), member(2)],
      [member(1, 'suspect')],
      [member(1, 'alive', 1)],
    ].map((all) => viewOf(all).digest);
    expect(new Set(digests).size).toBe(digests.length);
  });
});

describe('Gossip', () => {
  const crowd = Array.from({ length: 100 }, (_, i) => member(i + 1));

  it('never sends more than a bounded number of members at once', () => {
    const view = viewOf(crowd);
    const gossip = new Gossip(view);
    for (const { id } of crowd) gossip.spread(id);
    gossip.compare(7, 1);
    for (let i = 0; i < 200; i++) {
      expect(gossip.updatesFor(7).length).toBeLessThanOrEqual(CATCH_UP);
      expect(gossip.updatesFor(8).length).toBeLessThanOrEqual(PIGGYBACK);
    }
  });

  it('sends an update a bounded number of times', () => {
    const view = viewOf(crowd);
    const gossip = new Gossip(view);
    gossip.spread(5);
    let sent = 0;
    for (let i = 0; i < 200; i++) sent += gossip.updatesFor(7).length;
    expect(sent).toBe(3 * 7);
  });

  it('informs a suspected member that it is suspected', () => {
    const view = viewOf([member(1), member(2, 'suspect')]);
    expect(new Gossip(view).updatesFor(2)).toEqual([member(2, 'suspect')]);
    expect(new Gossip(view).updatesFor(1)).toEqual([]);
  });

  it('sends everything, part by part, to a member whose view differs', () => {
    const view = viewOf(crowd);
    const gossip = new Gossip(view);
    const other = new MemberView();
    let messages = 0;
    while (other.digest !== view.digest) {
      gossip.compare(7, other.digest);
      for (const update of gossip.updatesFor(7)) other.apply(update);
      expect(++messages).toBeLessThanOrEqual(Math.ceil(100 / CATCH_UP));
    }
    gossip.compare(7, other.digest);
    expect(gossip.updatesFor(7)).toEqual([]);
  });
});

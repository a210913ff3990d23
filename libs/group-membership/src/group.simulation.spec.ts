import { describe, expect, it } from 'vitest';
import { SimulatedGroup } from './testing/simulated-group.js';
import type { SimulatedMember } from './testing/simulated-member.js';

const DETECTORS = ['swim', 'round-robin'] as const;
/** How soon the group detects a dead member, by default. Milliseconds. */
const DETECTION = 8_000;

const idOf = ({ id }: SimulatedMember) => id!;

describe.each(DETECTORS)('a group in virtual time, %s', (detector) => {
  const start = async (seed: number, size: number, options = {}) => {
    const group = new SimulatedGroup(seed);
    await group.start(size, { detector, ...options });
    return group;
  };

  it.each([1, 5, 20, 50])(
    '%i members that start at once elect one leader, with distinct ids',
    async (size) => {
      const group = await start(size, size);
      const ids = group.members.map(idOf);
      expect(new Set(ids).size).toBe(size);
      expect(Math.min(...ids)).toBe(1);
      await group.clock.advance(6_000);
      expect(group.agreed()).toBe(true);
      expect(new Set(group.members.flatMap(({ grants }) => grants.map(({ term }) => term))).size).toBe(1);
      expect(group.verdict()).toEqual([]);
    },
  );

  const COLD_START = 3_000;

  it('agrees on one leader within 3 s of a cold start, whatever the start offsets of the three processes', async () => {
    let slowest = 0;
    for (let seed = 0; seed < 80; seed++) {
      const group = new SimulatedGroup(seed);
      for (let i = 0; i < 3; i++) {
        if (i > 0 && seed % 4 > 0) await group.clock.advance(Math.floor(group.random() * 50 * (seed % 4)));
        group.add({ detector }).start();
      }
      slowest = Math.max(
        slowest,
        await group.clock.until('one leader', COLD_START, () => group.elected === 1),
      );
      await group.clock.until('it may act', 6_000, () => group.agreed());
      expect(group.verdict()).toEqual([]);
    }
    expect(slowest).toBeGreaterThan(1_000);
  });

  it('lets the leader act at once after a cold start on a store that keeps its record', async () => {
    for (let seed = 0; seed < 50; seed++) {
      const group = new SimulatedGroup(seed);
      group.durableStore = true;
      for (let i = 0; i < 3; i++) group.add({ detector }).start();
      await group.clock.until('one leader', COLD_START, () => group.elected === 1);
      expect(group.leader!.id).toBe(1);
      await group.clock.until('they know each other', 3_000, () => group.agreed());
      expect(group.verdict()).toEqual([]);
    }
  });

  it('founds no group that acts while a leader may still act whose record the store has lost', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const group = await start(seed, 1);
      const first = group.leader!;
      await group.clock.advance(seed * 25);
      first.storeAway = true;
      group.store.clear();
      const newcomer = group.add({ detector }).start();
      await group.clock.until(
        'it has founded a group',
        4_000,
        () => newcomer.member.leader?.id === newcomer.id,
      );
      expect([first.member.mayAct, newcomer.member.mayAct]).toEqual([true, false]);
      // A record that is given up before its leader may act does not become free at once.
      if (seed % 2 === 0) void newcomer.member.resign();
      else void newcomer.member.stop();
      group.add({ detector }).start();
      await group.clock.advance(15_000);
      expect(group.verdict()).toEqual([]);
    }
  });

  const LONG_LEASE = 20_000;
  /** Leads with a longer lease than the others have. */
  const underLongLease = async (seed: number) => {
    const group = await start(seed, 1, { leaseTtl: LONG_LEASE });
    const leader = group.leader!;
    for (const leaseTtl of [3_000, 5_000]) group.add({ detector, leaseTtl }).start();
    await group.clock.until('all agree', 30_000, () => group.agreed());
    await group.clock.advance(seed * 200);
    return { group, leader };
  };

  it.each<[fault: string, hit: (group: SimulatedGroup, leader: SimulatedMember) => void]>([
    ['is frozen', (_group, leader) => leader.freeze()],
    ['is killed', (_group, leader) => leader.kill()],
    ['is cut off', (_group, leader) => ([leader.side, leader.storeAway] = [1, true])],
    [
      'is cut off, and the store loses its record',
      (group, leader) => {
        [leader.side, leader.storeAway] = [1, true];
        group.store.clear();
      },
    ],
  ])(
    'waits for the lease of a leader that %s, however short those of the others are',
    async (_fault, hit) => {
      for (let seed = 1; seed <= 10; seed++) {
        const { group, leader } = await underLongLease(seed);
        hit(group, leader);
        const others = () => group.living.filter((member) => member !== leader);
        await group.clock.until('another leader', LONG_LEASE + 30_000, () => group.agreed(others()));
        expect(group.verdict()).toEqual([]);
      }
    },
  );

  it('keeps its leader when the store loses the record while processes start', async () => {
    const group = await start(18, 3);
    const { leader } = group;
    group.store.clear();
    group.add({ detector }).start();
    await group.clock.advance(10_000);
    expect(group.leader).toBe(leader);
    expect(group.agreed()).toBe(true);
  });

  it('lets a member join although each answer takes longer than it waits for one', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const group = await start(seed, 3);
      // By default a member waits for 2 s.
      group.answerDelay = 2_050 + seed * 100;
      const late = group.add({ detector }).start();
      await group.clock.until('it has joined', 10_000, () => group.agreed());
      expect(late.id).toBe(4);
      expect(group.verdict()).toEqual([]);
    }
  });

  it('replaces a leader that is killed by the highest id', async () => {
    for (const seed of [2, 3, 4, 5]) {
      const group = await start(seed, 5);
      // The kill hits at any time after a renewal.
      await group.clock.advance(3_000 + seed * 200);
      group.leader!.kill();
      const highest = Math.max(...group.living.map(idOf));
      // Its lease expires while the group detects the failure, not after that.
      await group.clock.until('a new leader', DETECTION, () => group.agreed());
      expect(group.leader!.id).toBe(highest);
      expect(group.verdict()).toEqual([]);
    }
  });

  it('survives the death of the leader and of the highest id at once', async () => {
    const group = await start(3, 6);
    const { leader } = group;
    const others = group.members.filter((member) => member !== leader).sort((a, b) => idOf(b) - idOf(a));
    leader!.kill();
    others[0]!.kill();
    await group.clock.until('a new leader', DETECTION + 4_000, () => group.agreed());
    expect(group.leader).toBe(others[1]);
    expect(group.verdict()).toEqual([]);
  });

  it('replaces a departing leader within one cycle', async () => {
    const group = await start(4, 5);
    const { leader } = group;
    void leader!.member.stop();
    const rest = group.members.filter((member) => member !== leader);
    const time = await group.clock.until('a new leader', 1_000, () =>
      rest.some(({ member }) => member.mayAct),
    );
    expect(time).toBeLessThan(1_000);
    await group.clock.until('all know', 1_000, () => group.agreed(rest));
    expect(group.verdict()).toEqual([]);
  });

  it('replaces a leader that resigns and keeps it as a member', async () => {
    const group = await start(5, 3);
    const first = group.leader!;
    const { id } = first;
    void first.member.resign();
    await group.clock.until('another leader', 1_000, () => group.leader !== undefined && group.agreed());
    expect(group.leader).not.toBe(first);
    expect(first.id).toBe(id);
  });

  it('forgets ended members, and members do not remind each other of them', async () => {
    const forgetful = { detector, rememberFor: 20_000 };
    const group = await start(8, 4, forgetful);
    const reminder = group.add({ detector }).start();
    await group.clock.until('all agree', 60_000, () => group.agreed());
    const dead = group.members.find((member) => member !== group.leader && member !== reminder)!;
    const id = idOf(dead);
    dead.kill();
    await group.clock.until('found out', DETECTION, () => group.agreed());
    expect(group.living.every(({ member }) => member.memberOf(id)?.status === 'failed')).toBe(true);
    await group.clock.advance(25_000);
    // Views differ while members depart and messages are lost, so members send each other their whole views.
    group.loss = 0.2;
    for (const member of group.living.filter((one) => one !== group.leader && one !== reminder).slice(1))
      void member.member.stop();
    for (let joined = 0; joined < 3; joined++) {
      group.add(forgetful).start();
      await group.clock.advance(4_000);
    }
    const remember = group.living.filter(({ member }) => member.memberOf(id) !== undefined);
    expect(remember).toEqual([reminder]);
  });

  it('lets the only member lead again after it has resigned', async () => {
    const group = await start(6, 1);
    const { term } = group.leader!.member;
    void group.leader!.member.resign();
    await group.clock.advance(100);
    expect(group.leader).toBeUndefined();
    await group.clock.until('it leads again', 5_000, () => group.agreed());
    expect(group.leader!.member.term).toBeGreaterThan(term);
  });

  it('elects a leader although members that do not lead resign', async () => {
    for (let resignAfter = 4_500; resignAfter < DETECTION; resignAfter += 10) {
      const group = await start(7, 4);
      group.leader!.kill();
      await group.clock.advance(resignAfter);
      // At some of these moments one of them is claiming.
      for (const { member } of group.living) if (!member.mayAct) void member.resign();
      await group.clock.until('a leader', 20_000, () => group.agreed());
      expect(group.verdict()).toEqual([]);
    }
  });

  it('replaces a frozen leader, which steps down before it does anything else and joins again with a new id', async () => {
    const group = await start(7, 5);
    const frozen = group.leader!;
    const { id } = frozen;
    frozen.freeze();
    const rest = group.members.filter((member) => member !== frozen);
    await group.clock.until('a new leader', DETECTION + 2_000, () => group.agreed(rest));
    expect(frozen.member.mayAct).toBe(false);
    frozen.thaw();
    await group.clock.until('it is back', 30_000, () => group.agreed());
    expect(frozen.id).toBeGreaterThan(Math.max(id!, ...rest.map(idOf)));
    expect(group.verdict()).toEqual([]);
  });

  it('has only one member that may act when the machine of a replaced leader wakes up', async () => {
    const group = await start(7, 5);
    const asleep = group.leader!;
    asleep.suspend();
    const rest = group.members.filter((member) => member !== asleep);
    await group.clock.until('a new leader', DETECTION + 2_000, () => group.agreed(rest));
    expect(asleep.member.mayAct).toBe(false);
    asleep.thaw();
    expect(asleep.member.mayAct).toBe(false);
    await group.clock.until('it is back', 30_000, () => group.agreed());
    expect(group.verdict()).toEqual([]);
  });

  it('does not consider a member dead that is frozen for 2 s', async () => {
    const group = await start(8, 12);
    const ids = group.members.map(idOf);
    for (const member of group.members.slice(0, 6)) {
      member.freeze();
      await group.clock.advance(2_000);
      member.thaw();
      await group.clock.advance(500);
    }
    await group.clock.until('all agree', 10_000, () => group.agreed());
    expect(group.members.map(idOf)).toEqual(ids);
  });

  it('considers no member dead when 5 % of the messages are lost', async () => {
    const group = await start(9, 12);
    const ids = group.members.map(idOf);
    group.loss = 0.05;
    await group.clock.advance(60_000);
    group.loss = 0;
    await group.clock.until('all agree', 20_000, () => group.agreed());
    expect(group.members.map(idOf)).toEqual(ids);
    expect(new Set(group.members.flatMap(({ grants }) => grants.map(({ term }) => term))).size).toBe(1);
  });

  it('never reuses the id of a failed member', async () => {
    const group = await start(10, 3);
    const seen = new Set(group.members.map(idOf));
    for (let round = 0; round < 3; round++) {
      const victim = group.living.sort((a, b) => idOf(b) - idOf(a))[0]!;
      victim.kill();
      const next = group.addAt(victim.address, { detector }).start();
      await group.clock.until('it has joined', 60_000, () => next.id !== null && group.agreed());
      expect(seen.has(idOf(next))).toBe(false);
      seen.add(idOf(next));
    }
    expect(group.verdict()).toEqual([]);
  });

  it('has its leader step down without a majority, and is one group again when the partition heals', async () => {
    const group = await start(11, 5, { quorum: true });
    const first = group.leader!;
    const minority = [first, group.members.find((member) => member !== first)!];
    for (const member of minority) member.side = 1;
    const majority = group.members.filter((member) => !minority.includes(member));
    await group.clock.until('the majority has a leader', 20_000, () => group.agreed(majority));
    expect(minority.some(({ member }) => member.mayAct)).toBe(false);
    await group.clock.advance(20_000);
    expect(group.agreed(majority)).toBe(true);
    for (const member of minority) member.side = 0;
    await group.clock.until('all agree', 90_000, () => group.agreed());
    expect(majority.map(({ member }) => member.mayAct)).toContain(true);
    expect(group.verdict()).toEqual([]);
  });

  it('is one group again however a partition meets the cooldown of the leader that stepped down', async () => {
    const times = { pingCycle: 400, failureThreshold: 5, leaseTtl: 2_000, joinWait: 60, busyWait: 500 };
    for (let seed = 0; seed < 100; seed++) {
      const group = await start(seed, 5, { ...times, quorum: true });
      await group.clock.advance(seed * 13);
      const first = group.leader!;
      const minority = [first, group.members.find((member) => member !== first)!];
      for (const member of minority) member.side = 1;
      const majority = group.members.filter((member) => !minority.includes(member));
      await group.clock.until('the majority has a leader', 20_000, () => group.agreed(majority));
      for (const member of minority) member.side = 0;
      await group.clock.until('all agree', 30_000, () => group.agreed());
      expect(group.verdict()).toEqual([]);
    }
  });

  it('does not count departed members for the majority', async () => {
    const group = await start(16, 3, { quorum: true });
    for (let left = 3; left > 1; left--) {
      const { leader } = group;
      void leader!.member.stop().then(() => leader!.kill());
      await group.clock.until('the next one leads', 3_000, () => leader!.dead && group.agreed());
    }
    expect(group.living).toHaveLength(1);
    expect(group.verdict()).toEqual([]);
  });

  it('has no leader after most members died at once, until enough are restarted', async () => {
    const group = await start(17, 3, { quorum: true });
    const survivor = group.members.find((member) => member !== group.leader)!;
    for (const member of group.members) if (member !== survivor) member.kill();
    await group.clock.advance(40_000);
    expect(survivor.member.mayAct).toBe(false);
    group.add({ detector, quorum: true }).start();
    await group.clock.until('one group', 60_000, () => group.agreed());
    expect(group.living).toHaveLength(2);
    expect(group.verdict()).toEqual([]);
  });

  it('without a quorum, keeps its leader on either side of a partition while that leader reaches the store', async () => {
    const group = await start(12, 5);
    const first = group.leader!;
    first.side = 1;
    await group.clock.advance(30_000);
    expect(group.members.filter(({ member }) => member.mayAct)).toEqual([first]);
    first.side = 0;
    await group.clock.until('all agree', 90_000, () => group.agreed());
    expect(group.leader).toBe(first);
    expect(group.verdict()).toEqual([]);
  });

  it('has no leader while the store is unavailable, and has one again when it is back', async () => {
    const group = await start(13, 3);
    const { leader } = group;
    for (const member of group.members) member.storeAway = true;
    await group.clock.until('no member leads', 6_000, () => group.leader === undefined);
    expect(leader!.errors[0]).toMatchObject({ name: 'LeaderStoreError' });
    for (const member of group.members) member.storeAway = false;
    await group.clock.until('a member leads', 20_000, () => group.agreed());
    expect(group.verdict()).toEqual([]);
  });

  it('continues when the store loses its record', async () => {
    const group = await start(14, 3);
    const { leader } = group;
    group.store.clear();
    await group.clock.advance(10_000);
    expect(group.leader).toBe(leader);
    expect(group.verdict()).toEqual([]);
  });

  it('becomes one group again when the store loses its record and the leader dies', async () => {
    const group = await start(15, 4);
    const { term } = group.leader!.member;
    group.store.clear();
    group.leader!.kill();
    await group.clock.until('a new leader', 30_000, () => group.agreed());
    expect(group.leader!.member.term).toBeGreaterThan(term);
    expect(group.verdict()).toEqual([]);
  });
});

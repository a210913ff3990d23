import { Test, type TestingModule } from '@nestjs/testing';
import { eventually } from '@detector-cluster/election/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { GroupOptions } from '../create-group-member.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { SECRET, TEST_TIMES } from '../test-support/real-group.js';
import { GroupMembership } from './group-membership.js';
import { GroupMembershipModule } from './group-membership.module.js';

jest.setTimeout(60_000);

const silent = { log() {}, warn() {}, error() {} };
const applications: TestingModule[] = [];
const optionsFor = (store: MemoryLeaderStore): GroupOptions => ({
  internalAddress: '127.0.0.1:0',
  secret: SECRET,
  tls: false,
  store,
  ...TEST_TIMES,
});

async function create(imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>) {
  const application = await Test.createTestingModule({ imports }).setLogger(silent).compile();
  applications.push(application);
  return application;
}

afterEach(async () => {
  await Promise.all(applications.splice(0).map((application) => application.close()));
});

describe('GroupMembershipModule', () => {
  it('joins when the application starts, departs when the application ends, and closes the store last', async () => {
    const store = new MemoryLeaderStore();
    const events: string[] = [];
    const first = await create([GroupMembershipModule.forRoot(optionsFor(store))]);
    await first.init();
    await first.get(GroupMembership).waitUntilJoined();
    const second = await create([
      GroupMembershipModule.forRootAsync({
        isGlobal: true,
        useFactory: () => ({
          ...optionsFor(store),
          store: Object.assign(new MemoryLeaderStore(), {
            read: () => store.read(),
            swap: (expected: string | null, next: string) => store.swap(expected, next),
            cleanup: async () => void events.push('cleanup'),
          }),
        }),
      }),
    ]);
    await second.init();
    const [one, two] = [first, second].map((application) => application.get(GroupMembership));
    await eventually('both know each other', 10_000, () => one!.members.length === 2);
    expect([one!.isLeader(), two!.isLeader()]).toEqual([true, false]);
    expect(two!.leader).toMatchObject({ id: one!.id, term: one!.term });
    const off = two!.on(
      'lease',
      ({ term }) => void events.push(`leads ${term > one!.term ? 'a new' : 'an old'} term`),
    );
    await one!.resign();
    await eventually('the other one leads', 10_000, () => two!.isLeader());
    off();
    const { id } = two!;
    await second.close();
    applications.pop();
    expect(events[0]).toBe('leads a new term');
    expect(events.at(-1)).toBe('cleanup');
    await eventually('the first one leads', 10_000, () => one!.isLeader());
    expect(one!.members.map((member) => member.id)).not.toContain(id);
  });

  it('lets the application start while the group cannot be joined, and joins as soon as possible', async () => {
    const store = new MemoryLeaderStore();
    let away = true;
    const { read, swap } = store;
    store.read = () => (away ? Promise.reject(new Error('away')) : read.call(store));
    store.swap = (...args) => (away ? Promise.reject(new Error('away')) : swap.apply(store, args));
    const application = await create([GroupMembershipModule.forRoot(optionsFor(store))]);
    const begun = performance.now();
    await application.init();
    expect(performance.now() - begun).toBeLessThan(1_000);
    const membership = application.get(GroupMembership);
    expect(membership.getStatus()).toMatchObject({ role: 'joining', hasJoined: false });
    const failure = await membership.waitUntilJoined(3_000).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'JOIN_TIMEOUT', cause: { name: 'JoinError' } });
    away = false;
    await membership.waitUntilJoined(20_000);
    await eventually('it leads', 10_000, () => membership.getStatus().role === 'leader');
    expect(membership.getStatus()).toMatchObject({ joiningFor: null, leaderlessFor: null, mayAct: true });
  });

  it('ends while it is still joining', async () => {
    const store = new MemoryLeaderStore();
    store.read = () => new Promise(() => undefined);
    const application = await create([GroupMembershipModule.forRoot(optionsFor(store))]);
    await application.init();
    await application.close();
    applications.pop();
    await expect(application.get(GroupMembership).waitUntilJoined()).rejects.toThrow('the application ends');
  });

  it('rejects invalid options and names all problems', async () => {
    const wrong = { ...optionsFor(new MemoryLeaderStore()), internalAddress: 'here', quorum: 7 };
    await expect(create([GroupMembershipModule.forRoot(wrong as never)])).rejects.toMatchObject({
      name: 'InvalidGroupOptionsError',
      problems: [expect.stringMatching(/^internalAddress/), expect.stringMatching(/^quorum/)],
    });
  });
});

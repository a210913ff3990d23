import { Inject, Injectable, Module } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { eventually } from '@detector-cluster/election/testing';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GroupOptions } from '../session/create-group-member.js';
import { MemoryLeaderStore } from '../store/memory-leader-store.js';
import { SECRET, TEST_TIMES } from '../test-support/real-group.js';
import { GROUP_MEMBERSHIP_OPTIONS, GroupMembership } from './group-membership.js';
import { GroupMembershipModule } from './group-membership.module.js';
import { GroupMembershipMetricsModule } from './group-membership-metrics.module.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const errors: string[] = [];
const logger = { log() {}, warn() {}, error: (line: unknown) => void errors.push(String(line)) };
const applications: TestingModule[] = [];
const optionsFor = (store: MemoryLeaderStore): GroupOptions => ({
  internalAddress: '127.0.0.1:0',
  secret: SECRET,
  tls: false,
  store,
  ...TEST_TIMES,
});

async function create(imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>) {
  const application = await Test.createTestingModule({ imports }).setLogger(logger).compile();
  applications.push(application);
  return application;
}

afterEach(async () => {
  errors.length = 0;
  await Promise.all(applications.splice(0).map((application) => application.close()));
  // Nest logs what a hook rejects with when the application ends, and rejects nothing itself.
  expect(errors).toEqual([]);
});

describe('GroupMembershipModule', () => {
  it('joins when the application starts, departs when the application ends, and closes the store last', async () => {
    const store = new MemoryLeaderStore();
    const events: string[] = [];
    const registry = new Registry();
    const first = await create([
      GroupMembershipModule.forRoot(optionsFor(store)),
      GroupMembershipMetricsModule.register({ registry }),
    ]);
    await first.init();
    await first.get(GroupMembership).waitUntilJoined();
    const second = await create([
      GroupMembershipModule.forRootAsync({
        isGlobal: true,
        useFactory: () => ({
          ...optionsFor(store),
          store: Object.assign(new MemoryLeaderStore(), {
            read: () => store.read(),
            swap: (expected: string | null, next: string) => {
              events.push('swap');
              return store.swap(expected, next);
            },
            cleanup: async () => void events.push('cleanup'),
          }),
        }),
      }),
    ]);
    await second.init();
    const [one, two] = [first, second].map((application) => application.get(GroupMembership));
    await eventually('both know each other', 10_000, () => one!.members.length === 2 && two!.leader);
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
    expect(events).toContain('leads a new term');
    events.push('close');
    await second.close();
    applications.pop();
    // The last write gives up leadership.
    expect(events.slice(events.indexOf('close'))).toContain('swap');
    expect([events.indexOf('cleanup'), events.at(-1)]).toEqual([events.length - 1, 'cleanup']);
    expect(two!.id).toBeNull();
    await eventually('the first one leads', 10_000, () => one!.isLeader());
    expect(one!.members.map((member) => member.id)).not.toContain(id);
    expect(await registry.metrics()).toMatch(
      /^group_membership_messages_sent_total\{group="default",type="\w+"\} [1-9]/m,
    );
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
    expect(performance.now() - begun).toBeLessThan(5_000);
    const membership = application.get(GroupMembership);
    expect(membership.getStatus()).toMatchObject({ role: 'joining', hasJoined: false });
    const failure = await membership.waitUntilJoined(3_000).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'JOIN_TIMEOUT', cause: { name: 'JoinError' } });
    away = false;
    await membership.waitUntilJoined(20_000);
    await eventually('it leads', 10_000, () => membership.getStatus().role === 'leader');
    expect(membership.getStatus()).toMatchObject({ joiningFor: null, leaderlessFor: null, mayAct: true });
  });

  it('does not block onModuleInit: waiting for a join that has not begun rejects at once', async () => {
    let failure: unknown;
    @Injectable()
    class Impatient {
      constructor(private readonly membership: GroupMembership) {}
      async onModuleInit(): Promise<void> {
        failure = await this.membership.waitUntilJoined().catch((error: unknown) => error);
      }
    }
    const options = optionsFor(new MemoryLeaderStore());
    @Module({ imports: [GroupMembershipModule.forRoot(options)], providers: [Impatient] })
    class ImpatientModule {}
    const application = await create([ImpatientModule]);
    await application.init();
    expect(failure).toMatchObject({
      code: 'JOIN_NOT_BEGUN',
      message: expect.stringContaining('onApplicationBootstrap'),
    });
    await application.get(GroupMembership, { strict: false }).waitUntilJoined();
  });

  it('says that a lazily loaded module does not join', async () => {
    const application = await create([]);
    await application.init();
    const module = GroupMembershipModule.forRoot(optionsFor(new MemoryLeaderStore()));
    const loaded = await application.get(LazyModuleLoader).load(() => module);
    await expect(loaded.get(GroupMembership).waitUntilJoined()).rejects.toThrow(/loaded lazily/);
  });

  it('takes options of a class, is global on request, and provides the options by an exported token', async () => {
    const given = { ...optionsFor(new MemoryLeaderStore()), leaseTtl: 2_000 };
    @Injectable()
    class Options {
      createGroupMembershipOptions(): GroupOptions {
        return given;
      }
    }
    @Injectable()
    class Reader {
      constructor(
        readonly membership: GroupMembership,
        @Inject(GROUP_MEMBERSHIP_OPTIONS) readonly options: GroupOptions,
      ) {}
    }
    @Module({ providers: [Reader] })
    class ReaderModule {}
    const application = await create([
      ReaderModule,
      GroupMembershipModule.forRootAsync({ isGlobal: true, useClass: Options }),
    ]);
    const { membership, options } = application.get(Reader, { strict: false });
    expect(options).toBe(given);
    // A lease of 2 s and the cycles in which a failure is detected.
    expect(membership.getStatus().takeoverTime).toBe(
      2_000 + TEST_TIMES.pingCycle * TEST_TIMES.failureThreshold,
    );
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

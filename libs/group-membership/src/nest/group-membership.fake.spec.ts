import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GroupMembershipEventEmitterModule } from './group-membership-event-emitter.module.js';
import { GroupMembership, JoinTimeoutError } from './group-membership.js';
import { GroupMembershipHealthIndicator, GroupMembershipHealthModule } from './health.js';
import { GroupMembershipMetricsModule } from './group-membership-metrics.module.js';
import { FakeGroupMembership } from './fake-group-membership.js';
import { GroupMembershipTestingModule } from './group-membership-testing.module.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

@Injectable()
class Observer {
  readonly seen: string[] = [];

  @OnEvent('group-membership.joined')
  joined({ id }: { id: number }): void {
    this.seen.push(`joined ${id}`);
  }

  @OnEvent('group-membership.lease')
  leads({ term }: { term: number }): void {
    this.seen.push(`leads ${term}`);
  }

  @OnEvent('group-membership.lost')
  lost({ term, reason }: { term: number; reason: string }): void {
    this.seen.push(`lost ${term} ${reason}`);
  }

  @OnEvent('group-membership.error')
  failed(error: Error): void {
    this.seen.push(error.message);
  }
}

describe('an application with a FakeGroupMembership', () => {
  let app: TestingModule;
  let fake: FakeGroupMembership;
  let registry: Registry;
  let errors: string[];

  beforeEach(async () => {
    errors = [];
    registry = new Registry();
    app = await Test.createTestingModule({
      imports: [
        EventEmitterModule.forRoot(),
        GroupMembershipTestingModule.register(),
        GroupMembershipHealthModule,
        GroupMembershipMetricsModule.register({ registry }),
        GroupMembershipEventEmitterModule,
      ],
      providers: [Observer],
    })
      .setLogger({ log() {}, warn() {}, error: (line: string) => errors.push(line) })
      .compile();
    fake = app.get(GroupMembership);
    await app.init();
  });
  afterEach(() => app.close());

  const health = (options = {}) => app.get(GroupMembershipHealthIndicator).isHealthy('group', options).group;
  const sample = async (name: string) => {
    const lines = (await registry.metrics()).split('\n');
    const line = lines.find((text) => text.startsWith(`group_membership_${name} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };

  it('is healthy while it is a member of a group with a leader', () => {
    expect(health()).toMatchObject({ status: 'down', reason: expect.stringMatching(/^has not joined yet/) });
    fake.join();
    expect(health()).toMatchObject({
      status: 'degraded',
      reason: expect.stringMatching(/^no member has led/),
    });
    expect(health({ maxLeaderless: 0 })).toMatchObject({ status: 'down' });
    expect(health({ requireLeader: false })).toMatchObject({ status: 'up' });
    fake.followLeader(7);
    expect(health()).toEqual({ status: 'up', role: 'follower', id: 1, term: 1, members: 2, leaderId: 7 });
    fake.becomeLeader();
    expect(health()).toMatchObject({ status: 'up', role: 'leader', leaderId: 1 });
    fake.loseLeadership();
    expect(health()).toMatchObject({ status: 'degraded', leaderId: null });
    fake.leave();
    expect(health()).toMatchObject({ status: 'degraded', reason: expect.stringMatching(/^no member/) });
    expect(health({ maxJoining: 0 })).toMatchObject({ status: 'down' });
    expect(() => health({ maxJoining: -1 })).toThrow(/maxJoining must be/);
  });

  it('takes the limits of health from the times of the group', () => {
    // 5 s of the lease and five cycles of 1 s.
    expect(fake.getStatus().takeoverTime).toBe(10_000);
  });

  it('exposes its metrics', async () => {
    expect(await sample('member{group="default"}')).toBe(0);
    expect(await sample('leader_known{group="default"}')).toBe(0);
    fake.becomeLeader('released');
    fake.becomeLeader('vacant');
    fake.setMember(3);
    fake.setMember(4, 'failed');
    fake.fail(Object.assign(new Error('away'), { code: 'STORE_AWAY' }));
    expect(await sample('may_act{group="default"}')).toBe(1);
    expect(await sample('members{group="default"}')).toBe(2);
    expect(await sample('term{group="default"}')).toBe(1);
    expect(await sample('transitions_total{group="default",to="leader",reason="released"}')).toBe(1);
    // The second one was a renewal.
    expect(await sample('transitions_total{group="default",to="leader",reason="vacant"}')).toBeUndefined();
    expect(await sample('leader_known{group="default"}')).toBe(1);
    expect(await sample('errors_total{group="default",code="STORE_AWAY"}')).toBe(1);
    await fake.resign();
    expect(await sample('leader{group="default"}')).toBe(0);
    expect(await sample('transitions_total{group="default",to="follower",reason="resigned"}')).toBe(1);
    fake.leave('outdated');
    expect(await sample('transitions_total{group="default",to="joining",reason="outdated"}')).toBe(1);
    expect(await registry.metrics()).toMatch(/frames_dropped_total\{group="default",reason="\w/);
    await app.close();
    expect(await registry.metrics()).not.toMatch(/group_membership/);
  });

  it('emits its events, in order', async () => {
    fake.becomeLeader();
    fake.loseLeadership();
    fake.fail(new Error('away'));
    await turn();
    expect(app.get(Observer).seen).toEqual(['joined 1', 'leads 1', 'lost 1 refused', 'away']);
  });

  it('emits its events to the other listeners when one throws, and no more when the application has ended', async () => {
    const emitter = app.get(EventEmitter2);
    const seen: string[] = [];
    emitter.once('group-membership.joined', () => {
      throw new Error('broken');
    });
    emitter.on('group-membership.lease', ({ term }: { term: number }) => seen.push(`leads ${term}`));
    fake.becomeLeader();
    await turn();
    expect(seen).toEqual(['leads 1']);
    expect(errors).toEqual(["a listener of 'joined' failed: Error: broken"]);
    await app.close();
    expect(fake.id).toBeNull();
    // Nest has removed all listeners.
    emitter.on('group-membership.lease', () => seen.push('late'));
    fake.becomeLeader();
    await turn();
    expect(seen).toEqual(['leads 1']);
  });

  it('calls a listener until it is removed', () => {
    const terms: number[] = [];
    const off = fake.on('lease', ({ term }) => terms.push(term));
    fake.becomeLeader();
    off();
    fake.becomeLeader();
    expect(terms).toEqual([1]);
  });

  it('waits until it is a member', async () => {
    await expect(fake.waitUntilJoined(10)).rejects.toBeInstanceOf(JoinTimeoutError);
    const waiting = fake.waitUntilJoined();
    fake.join();
    await waiting;
    await fake.waitUntilJoined(0);
    fake.leave();
    const ended = expect(fake.waitUntilJoined()).rejects.toThrow('the application ends');
    await app.close();
    await ended;
  });
});

describe('GroupMembershipTestingModule', () => {
  it('provides the fake to other modules, if it is global', async () => {
    @Injectable()
    class Reader {
      constructor(readonly membership: GroupMembership) {}
    }
    @Module({ providers: [Reader] })
    class ReaderModule {}
    const app = await Test.createTestingModule({
      imports: [ReaderModule, GroupMembershipTestingModule.register({ isGlobal: true })],
    }).compile();
    expect(app.get(Reader, { strict: false }).membership).toBe(app.get(FakeGroupMembership));
    await app.close();
  });
});

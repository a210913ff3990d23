import { startRedis, type RedisService } from '@detector-cluster/dev-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from '@detector-cluster/dev-services';
import { checkHistory } from '../../testing/check-history.js';
import { eventually } from '../../testing/eventually.js';
import { Participant } from '../../testing/participant.js';
import { RedisElectionBackend } from './redis-election-backend.js';
import type { RedisElectionOptions } from './redis-election-options.js';

const ignore = () => undefined;

type Timing = Omit<RedisElectionOptions, 'redis' | 'lockName'>;

const LONG: Timing = { lockTtl: 9_000, heartbeatInterval: 1_000, checkInterval: 1_000 };
const SHORT: Timing = { lockTtl: 3_000, heartbeatInterval: 1_000, checkInterval: 500 };

/** For what happens at last. Milliseconds. */
const TIMEOUT = 40_000;

const leads = (participant: Participant) => eventually('it leads', TIMEOUT, () => participant.leads);
const follows = (participant: Participant, { id }: Participant) =>
  eventually('it follows', TIMEOUT, () => participant.elector.leaderId === id);

describe('a leader that is cut off, among candidates with shorter durations', () => {
  let server: RedisService;
  let proxy: TcpProxy;
  let participants: Participant[];

  beforeEach(async () => {
    server = await startRedis({ persistence: false });
    proxy = await TcpProxy.to(server.port);
    participants = [];
  }, 60_000);
  afterEach(async () => {
    await Promise.all(participants.map(({ elector }) => elector.stop()));
    await Promise.all(participants.map(({ backend }) => backend.close()));
    await proxy.stop();
    await server.stop();
  }, 60_000);

  const enter = (port: number, timing: Timing) => {
    const redis = { host: '127.0.0.1', port };
    const backend = new RedisElectionBackend({ redis, lockName: 'different', onWarning: ignore, ...timing });
    const participant = new Participant(backend);
    participants.push(participant);
    participant.elector.start();
    return participant;
  };
  it('is replaced by presence only when it can no longer act', { timeout: 120_000 }, async () => {
    const leader = enter(proxy.port, { presenceValidity: 4_000, presenceGrace: 5_000 });
    await leads(leader);
    const follower = enter(server.port, {});
    await follows(follower, leader);
    await proxy.stop();
    await leads(follower);
    expect(checkHistory(participants.flatMap(({ grants }) => grants))).toEqual([]);
  });

  it.each([
    ['one that follows it', true],
    ['one that starts afterwards in the same process', false],
  ])(
    'is replaced by %s only when it can no longer act, if Redis has lost its lease',
    async (_what, known) => {
      const leader = enter(proxy.port, { ...LONG, crashDetection: 'lease' });
      await leads(leader);
      const timing: Timing = { ...SHORT, crashDetection: 'lease' };
      const follower = known ? enter(server.port, timing) : undefined;
      if (follower) await follows(follower, leader);
      await proxy.stop();
      await server.restart();
      await leads(follower ?? enter(server.port, timing));
      expect(checkHistory(participants.flatMap(({ grants }) => grants))).toEqual([]);
    },
    120_000,
  );
});

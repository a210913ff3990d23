import { describe, expect, it } from 'vitest';
import type { MasterElectionStatus } from '../participant/status-tracker.js';
import { assessElection } from './assess-election.js';

const following: MasterElectionStatus = {
  name: 'default',
  role: 'slave',
  mayAct: false,
  term: 7,
  leaderId: 'other',
  leaderlessFor: null,
  hasKnownLeader: true,
  storeFailingFor: null,
  leaseAge: null,
  lockTtl: 30_000,
};
const leaderless = { ...following, leaderId: null, leaderlessFor: 30_000 };

describe('assessElection', () => {
  it.each<
    [string, Partial<MasterElectionStatus>, Parameters<typeof assessElection>[1], string, RegExp | null]
  >([
    ['another process leads', {}, {}, 'up', null],
    ['this process leads', { role: 'master', mayAct: true, leaseAge: 90 }, {}, 'up', null],
    ['this process leads unconfirmed', { role: 'master' }, {}, 'degraded', /unconfirmed/],
    ['no process leads yet', { ...leaderless, hasKnownLeader: false, leaderlessFor: 1 }, {}, 'down', /yet/],
    ['there is no leader for a short while', leaderless, {}, 'degraded', /no process has led for 30\.0 s/],
    [
      'there is no leader for too long',
      { ...leaderless, leaderlessFor: 30_001 },
      {},
      'down',
      /no process has led/,
    ],
    [
      'there is no leader for longer than set',
      leaderless,
      { maxLeaderless: 29_999 },
      'down',
      /no process has led/,
    ],
    ['no leader is required', { ...leaderless, hasKnownLeader: false }, { requireLeader: false }, 'up', null],
    [
      'the store fails for a short while',
      { storeFailingFor: 1_000 },
      {},
      'degraded',
      /store has failed for 1\.0 s/,
    ],
    ['the store fails for too long', { storeFailingFor: 30_001 }, {}, 'down', /store/],
    [
      'the store fails for longer than the option allows',
      { storeFailingFor: 11 },
      { maxStoreOutage: 10 },
      'down',
      /store/,
    ],
    ['the worse of two', { ...leaderless, storeFailingFor: 1 }, { maxLeaderless: 0 }, 'down', /no process/],
    ['the store first', { ...leaderless, storeFailingFor: 9e4, leaderlessFor: 9e4 }, {}, 'down', /store/],
  ])('%s', (_case, status, limits, expected, reason) => {
    const health = assessElection({ ...following, ...status }, limits);
    expect(health.status).toBe(expected);
    if (reason) expect(health).toMatchObject({ reason: expect.stringMatching(reason) });
    else expect(health).not.toHaveProperty('reason');
  });
});

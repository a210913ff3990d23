import { describe, expect, it } from 'vitest';
import type { GroupMembershipStatus } from './group-membership.js';
import { assessGroup } from './assess-group.js';

const following: GroupMembershipStatus = {
  group: 'default',
  role: 'follower',
  mayAct: false,
  id: 2,
  leader: { id: 1, address: 'one:1', name: 'one', term: 7, revision: 1, leaseTtl: 5_000, barred: 0 },
  members: 2,
  term: 7,
  hasJoined: true,
  joiningFor: null,
  leaderlessFor: null,
  takeoverTime: 3_200,
};

describe('assessGroup', () => {
  it.each<[string, Partial<GroupMembershipStatus>, Parameters<typeof assessGroup>[1], string, RegExp | null]>(
    [
      ['a member leads', {}, {}, 'up', null],
      [
        'it has not joined yet',
        { joiningFor: 1, hasJoined: false },
        {},
        'down',
        /not joined yet, for 0\.0 s/,
      ],
      ['it joins again', { joiningFor: 3_200 }, {}, 'degraded', /no member for 3\.2 s/],
      ['it joins again for longer than a takeover', { joiningFor: 3_201 }, {}, 'down', /no member for/],
      ['it joins again for longer than set', { joiningFor: 11 }, { maxJoining: 10 }, 'down', /no member for/],
      ['no member leads', { leaderlessFor: 3_200 }, {}, 'degraded', /no member has led for 3\.2 s/],
      ['no member leads for longer than a takeover', { leaderlessFor: 3_201 }, {}, 'down', /has led/],
      [
        'no member leads for longer than set',
        { leaderlessFor: 11 },
        { maxLeaderless: 10 },
        'down',
        /has led/,
      ],
      ['no leader is required', { leaderlessFor: 1e6 }, { requireLeader: false }, 'up', null],
    ],
  )('%s', (_case, status, limits, expected, reason) => {
    const health = assessGroup({ ...following, ...status }, limits);
    expect(health.status).toBe(expected);
    if (reason) expect(health).toMatchObject({ reason: expect.stringMatching(reason) });
    else expect(health).not.toHaveProperty('reason');
  });
});

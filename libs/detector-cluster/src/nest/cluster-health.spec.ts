import { describe, expect, it } from 'vitest';
import { assessCluster, type ClusterCondition, type ClusterHealthOptions } from './cluster-health.js';

const well: ClusterCondition = {
  redisReachable: true,
  masterLacksDescriptors: false,
  refusedRead: null,
  unreadableFor: null,
  unconfirmedFor: null,
  withoutWorkersFor: null,
  pendingCall: null,
};

describe('assessCluster', () => {
  it.each<[string, Partial<ClusterCondition>, ClusterHealthOptions, string, RegExp | null]>([
    ['nothing is wrong', {}, {}, 'up', null],
    [
      'the master cannot dial workers',
      { masterLacksDescriptors: true, withoutWorkersFor: 30_001 },
      {},
      'degraded',
      /no free file descriptor/,
    ],
    [
      'the database is behind',
      { refusedRead: 'the database is a standby' },
      {},
      'degraded',
      /^the database is/,
    ],
    ['Redis is down', { redisReachable: false }, {}, 'down', /^Redis cannot be read$/],
    [
      'a callback is pending for a while',
      { pendingCall: { callback: 'workers', pendingFor: 5_001 } },
      {},
      'degraded',
      /^workers has not/,
    ],
    ['a callback is pending', { pendingCall: { callback: 'workers', pendingFor: 5_000 } }, {}, 'up', null],
    ['it cannot read for a short while', { unreadableFor: 10_000 }, {}, 'degraded', /for 10\.0 s/],
    ['it cannot read for too long', { unreadableFor: 10_001 }, {}, 'down', /read detections/],
    ['it cannot read for longer than the limit', { unreadableFor: 6 }, { maxUnreadable: 5 }, 'down', /read/],
    ['no master has confirmed the state for a moment', { unconfirmedFor: 10_000 }, {}, 'up', null],
    ['no master has confirmed the state', { unconfirmedFor: 10_001 }, {}, 'down', /written .* 10\.0 s/],
    [
      'no master has confirmed the state for longer than the limit',
      { unconfirmedFor: 6 },
      { maxUnconfirmed: 5 },
      'down',
      /written/,
    ],
    ['workers are down for a short while', { withoutWorkersFor: 30_000 }, {}, 'up', null],
    ['workers are down for long', { withoutWorkersFor: 30_001 }, {}, 'degraded', /no worker .* 30\.0 s/],
    [
      'workers are down longer than allowed',
      { withoutWorkersFor: 6 },
      { maxWithoutWorkers: 5 },
      'degraded',
      /no/,
    ],
    ['workers are needed', { withoutWorkersFor: 30_001 }, { requireWorkers: true }, 'down', /no worker/],
    ['workers are needed soon', { withoutWorkersFor: 30_000 }, { requireWorkers: true }, 'up', null],
    [
      'the worse of several',
      { unreadableFor: 1, withoutWorkersFor: 9e9 },
      { requireWorkers: true },
      'down',
      /no worker/,
    ],
    ['Redis before all', { redisReachable: false, unreadableFor: 9e9 }, {}, 'down', /Redis/],
  ])('%s', (_case, condition, limits, expected, reason) => {
    const health = assessCluster({ ...well, ...condition }, limits);
    expect(health.status).toBe(expected);
    if (reason) expect(health).toMatchObject({ reason: expect.stringMatching(reason) });
    else expect(health).not.toHaveProperty('reason');
  });
});

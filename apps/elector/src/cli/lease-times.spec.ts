import { validityOf } from '@detector-cluster/election/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leaseTimes } from './lease-times.js';
import { UsageError } from './usage.error.js';

const duration = fc.integer({ min: 1, max: 120_000 });
const flags = fc.record(
  {
    backend: fc.constantFrom(
      'redis' as const,
      'etcd' as const,
      'postgres' as const,
      'memory' as const,
      'group' as const,
    ),
    lockTtl: duration,
    renewDeadline: duration,
    killAfter: duration,
  },
  { requiredKeys: ['backend'] },
);

describe('leaseTimes', () => {
  it('leaves the command time to end before the lease does, or refuses', () => {
    fc.assert(
      fc.property(flags, (given) => {
        let times;
        try {
          times = leaseTimes(given);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        const { backend: _backend, ...durations } = given;
        expect(times).toMatchObject(durations);
        expect(times.renewDeadline + times.killAfter).toBeLessThan(validityOf(times.lockTtl));
        expect(times.renewDeadline).toBeGreaterThan(times.lockTtl / 3);
      }),
    );
  });

  it('accepts every --lock-ttl of a second and more by itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 3_600_000 }), (lockTtl) => {
        const { renewDeadline, killAfter } = leaseTimes({ backend: 'redis', lockTtl });
        expect(killAfter).toBeGreaterThanOrEqual(Math.min(5_000, Math.floor(lockTtl * 0.3)));
        expect(renewDeadline).toBeGreaterThan(lockTtl / 2);
      }),
    );
  });

  it('names the flags that do not fit', () => {
    expect(() => leaseTimes({ backend: 'redis', lockTtl: 6_000, killAfter: 5_000 })).toThrow(
      '--renew-deadline (586ms) must be more than a third of --lock-ttl (6000ms), and with --kill-after (5000ms) at most ' +
        '5586ms, so that the command has ended before another instance leads: give a longer --lock-ttl or a shorter ' +
        '--kill-after',
    );
  });

  it('knows no deadline where a lease has no end', () => {
    expect(leaseTimes({ backend: 'console' })).toEqual({
      lockTtl: Infinity,
      renewDeadline: Infinity,
      killAfter: 5_000,
    });
  });
});

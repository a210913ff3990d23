import { describe, expect, it } from 'vitest';
import { resolveLeaderFeedOptions } from './leader-feed-options.js';

describe('resolveLeaderFeedOptions', () => {
  it('has the documented defaults', () => {
    expect(resolveLeaderFeedOptions()).toMatchObject({
      createIfMissing: true,
      heartbeatIntervalMs: 1_000,
      electionTimeoutMinMs: 2_000,
      electionTimeoutMaxMs: 4_000,
    });
    expect(resolveLeaderFeedOptions().id).not.toBe(resolveLeaderFeedOptions().id);
  });

  it('derives the election timeouts', () => {
    expect(resolveLeaderFeedOptions({ heartbeatIntervalMs: 50 })).toMatchObject({
      electionTimeoutMinMs: 100,
      electionTimeoutMaxMs: 200,
    });
    expect(resolveLeaderFeedOptions({ electionTimeoutMinMs: 5_000 }).electionTimeoutMaxMs).toBe(10_000);
  });

  it.each([
    [{ electionTimeoutMinMs: 1_999 }, 2_000, 4_000],
    [{ electionTimeoutMinMs: 2_000, electionTimeoutMaxMs: 3_999 }, 2_000, 4_000],
    [{ heartbeatIntervalMs: 3_000, electionTimeoutMinMs: 2_000, electionTimeoutMaxMs: 4_000 }, 6_000, 12_000],
    [{ electionTimeoutMinMs: 2_500, electionTimeoutMaxMs: 9_000 }, 2_500, 9_000],
  ])('raises election timeouts below their least value: %j', (options, min, max) => {
    expect(resolveLeaderFeedOptions(options)).toMatchObject({
      electionTimeoutMinMs: min,
      electionTimeoutMaxMs: max,
    });
  });

  it.each([
    [{ electionTimeoutMinMs: -1 }, /electionTimeoutMinMs must be a whole number.*not -1/],
    [
      { electionTimeoutMinMs: 2 ** 30 },
      /electionTimeoutMaxMs must be a whole number of milliseconds from 1 to/,
    ],
    [{ heartbeatIntervalMs: 0 }, /heartbeatIntervalMs must be a whole number of milliseconds from 1/],
    [{ heartbeatIntervalMs: 'soon' as never }, /heartbeatIntervalMs must be a whole number.*not soon/],
    [{ id: '' }, /^id must be a string that is not empty/],
    [{ id: 5 as never, heartbeatIntervalMs: 1.5 }, /^id must .*; heartbeatIntervalMs must/],
  ])('refuses %j', (options, message) => {
    expect(() => resolveLeaderFeedOptions(options)).toThrow(RangeError);
    expect(() => resolveLeaderFeedOptions(options)).toThrow(message);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveness, nextLivenessChange } from './liveness.js';

const limits = { silence: 10_000, eviction: 15_000 };

describe('liveness', () => {
  it('is Connecting until the first report, Offline when none comes in time', () => {
    const facts = { since: 100, lastReportAt: null, lostAt: null, behind: 0 };
    expect(liveness(facts, limits, 100)).toBe('Connecting');
    expect(liveness(facts, limits, 15_099)).toBe('Connecting');
    expect(liveness(facts, limits, 15_100)).toBe('Offline');
  });

  it('is Suspect after 10 s of silence and Offline 15 s later', () => {
    const facts = { since: 0, lastReportAt: 1_000, lostAt: null, behind: 0 };
    expect(liveness(facts, limits, 10_999)).toBe('Ready');
    expect(liveness(facts, limits, 11_000)).toBe('Suspect');
    expect(liveness(facts, limits, 25_999)).toBe('Suspect');
    expect(liveness(facts, limits, 26_000)).toBe('Offline');
  });

  it('is Suspect at once when the socket closes', () => {
    const facts = { since: 0, lastReportAt: 1_000, lostAt: 2_000, behind: 0 };
    expect(liveness(facts, limits, 2_000)).toBe('Suspect');
    expect(liveness(facts, limits, 17_000)).toBe('Offline');
  });

  it('does not count the time in which frames waited for this process as silence', () => {
    const facts = { since: 0, lastReportAt: 1_000, lostAt: null, behind: 4_000 };
    expect(liveness(facts, limits, 14_999)).toBe('Ready');
    expect(liveness(facts, limits, 15_000)).toBe('Suspect');
  });

  it('names the next change: never a state change before it, always one at it', () => {
    const time = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(
        time,
        fc.option(time),
        fc.option(time),
        time,
        time,
        (since, lastReportAt, lostAt, behind, now) => {
          const facts = { since, lastReportAt, lostAt, behind };
          const state = liveness(facts, limits, now);
          const next = nextLivenessChange(facts, limits, now);
          if (next === null) return state === liveness(facts, limits, now + 1_000_000);
          // A worker without a report stays Connecting when its grace period begins.
          const visible = lastReportAt !== null || next >= since + limits.eviction;
          return (
            next > now &&
            liveness(facts, limits, next - 1) === state &&
            (!visible || liveness(facts, limits, next) !== state)
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

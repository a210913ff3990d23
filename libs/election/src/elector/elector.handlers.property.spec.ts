import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { LossReason } from '../contract/election-backend.js';
import { FakeElection } from '../testing/fake-election.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Elector } from './elector.js';

const HANDOVER_TIMEOUT = 3_000;
const ERROR_TIMEOUT = 8_000;

type Step =
  | { do: 'lead' | 'follow' | 'suspend' | 'fail' | 'break' | 'resign' | 'stop' | 'work'; by: number }
  | { do: 'advance'; by: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('lead' as const), by: fc.nat(20_000) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('follow', 'suspend', 'fail', 'break', 'resign', 'stop', 'work'),
      by: fc.nat(6_000),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.nat(9_000) }) },
);

/** How a run of a handler goes: when it settles, how, and whether it minds its signal. */
interface Run {
  readonly takes: number;
  readonly fails: boolean;
  readonly obeys: boolean;
}

const run: fc.Arbitrary<Run> = fc.record({
  takes: fc.oneof(fc.constant(0), fc.nat(7_000)),
  fails: fc.boolean(),
  obeys: fc.boolean(),
});

type Outcome = 'succeeded' | 'failed' | 'interrupted';

interface Call {
  readonly handler: 'begin' | 'end' | 'error';
  readonly term: number;
  readonly at: number;
  readonly competes: boolean;
  /** How often the elector had been stopped, which ends an error state. */
  readonly stops: number;
  outcome?: Outcome;
  settledAt?: number;
  /** Why and when the term of a begin was lost. */
  reason?: LossReason;
  lostAt?: number;
}

/** The violations in a history of calls, by the table of transitions. */
function problemsOf(calls: readonly Call[]): string[] {
  const problems: string[] = [];
  let begun: number | undefined;
  let attempts = 0;
  calls.forEach((call, i) => {
    const before = calls[i - 1];
    const is = (wrong: boolean, what: string) => wrong && problems.push(`${i}: ${what}`);
    is(before !== undefined && before.settledAt === undefined, 'overlaps with the call before');
    if (call.handler === 'begin') {
      is(begun !== undefined, 'begins before the last term has ended');
      if (before?.handler === 'error' && before.stops === call.stops)
        is(call.at < before.at + ERROR_TIMEOUT, 'begins within the error state');
      is(
        before?.handler === 'begin' && before.stops === call.stops,
        'begins after a begin that failed without an error state',
      );
      // A failure and the loss by other cause may meet at the same instant.
      if (call.reason === 'failed') is(call.outcome !== 'failed', 'has not failed');
      else if (call.outcome === 'failed') is(call.lostAt !== call.settledAt, 'has failed');
      if (call.reason !== 'failed') begun = call.term;
      attempts = 0;
    } else if (call.handler === 'end') {
      is(begun !== call.term, 'ends what has not begun');
      attempts++;
      is(attempts > 12, 'ends too often');
      if (attempts > 1) {
        is(call.competes, 'competes while it repeats an end');
        is(call.at < before!.settledAt! + 5_000, 'repeats an end too early');
      }
      if (call.outcome === 'succeeded') begun = undefined;
    } else is(begun !== undefined, 'is in the error state before the term has ended');
  });
  return problems;
}

const settle = async () => {
  await setImmediate();
  await setImmediate();
};

describe('Elector under any schedule of reports, handlers and work', () => {
  it('alternates begin and end, never overlaps, and never keeps others from leading', async () => {
    let gaveUp = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40 }),
        fc.array(run, { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        async (steps, runs, hopeless) => {
          const clock = new VirtualClock(50_000);
          const backend = new FakeElection({ clock });
          const calls: Call[] = [];
          const pace = async (takes: number, signal?: AbortSignal) => {
            if (takes === 0) return;
            await new Promise<void>((resolve, reject) => {
              clock.setTimeout(resolve, takes);
              signal?.addEventListener('abort', () => reject(signal.reason as Error));
            });
          };
          let runsBegun = 0;
          let stops = 0;
          let stopping = 0;
          const play = async (handler: Call['handler'], term: number, signal?: AbortSignal) => {
            const { takes, fails, obeys } = runs[runsBegun++ % runs.length]!;
            const competes = backend.candidate !== undefined;
            const call: Call = { handler, term, at: clock.now(), competes, stops };
            calls.push(call);
            try {
              await pace(takes, obeys ? signal : undefined);
              if (fails || (hopeless && handler === 'end')) throw new Error('failed');
              call.outcome = 'succeeded';
            } catch (error) {
              call.outcome = signal?.aborted ? 'interrupted' : 'failed';
              throw error;
            } finally {
              call.settledAt = clock.now();
            }
          };
          const elector = new Elector({
            backend,
            candidate: { id: 'me' },
            clock,
            handoverTimeout: HANDOVER_TIMEOUT,
            errorTimeout: ERROR_TIMEOUT,
            handlers: {
              begin: ({ term, signal }) => play('begin', term, signal),
              end: ({ term }) => play('end', term),
              error: () => play('error', 0),
            },
          });
          let lostAt = Infinity;
          let workUntil = -Infinity;
          elector.on('acquired', () => {
            expect(calls.every(({ settledAt }) => settledAt !== undefined)).toBe(true);
            expect(clock.now()).toBeGreaterThanOrEqual(Math.min(workUntil, lostAt + HANDOVER_TIMEOUT));
            lostAt = Infinity;
          });
          elector.on('lost', ({ term, reason }) => {
            lostAt = clock.now();
            const begin = calls.findLast((call) => call.handler === 'begin' && call.term === term);
            if (begin) Object.assign(begin, { reason, lostAt });
          });
          elector.on('gave-up', () => gaveUp++);
          let done = false;
          elector.once('gave-up', () => (done = true));
          elector.start();

          const act: Record<Step['do'], (by: number) => unknown> = {
            lead: (by) => backend.lead({ validFor: by + 100, leaseFor: by + 500 }),
            follow: () => backend.follow(),
            suspend: () => backend.suspend(),
            fail: () => backend.fail(),
            break: () => backend.break(),
            resign: () => elector.resign(),
            stop: async () => {
              stopping++;
              await elector.stop();
              stops++;
              stopping--;
              if (!done && stopping === 0) elector.start();
            },
            work: (by) => {
              const { lease } = elector;
              if (!lease) return;
              workUntil = Math.max(workUntil, clock.now() + by);
              lease.waitUntil(pace(by));
            },
            advance: (by) => clock.advance(by),
          };
          for (const { do: what, by } of steps) {
            void act[what](by);
            await settle();
            // An unfinished end handler keeps no other candidate from leading for longer than that.
            if (!elector.lease && clock.now() >= lostAt + HANDOVER_TIMEOUT && calls.at(-1)?.handler === 'end')
              if (calls.at(-1)!.outcome !== 'succeeded') expect(backend.candidate).toBeUndefined();
          }

          const stopped = vi.fn();
          void elector.stop().then(stopped);
          for (let i = 0; i < 40; i++) {
            await settle();
            clock.advance(7_000);
          }
          expect(stopped).toHaveBeenCalled();
          expect(clock.pending).toBe(0);
          expect(problemsOf(calls)).toEqual([]);
          const last = calls.at(-1);
          if (last && !done && last.outcome !== 'failed') expect(last.handler).not.toBe('begin');
        },
      ),
      { numRuns: 400 },
    );
    expect(gaveUp).toBeGreaterThan(0);
  });
});

import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Repeater, type RepeaterOptions } from './repeater.js';

interface Run {
  readonly began: number;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

/** A repeater whose runs end on request. */
function setUp(options: Partial<RepeaterOptions<string>> = {}) {
  const clock = new VirtualClock(1_000);
  const ended = new AbortController();
  const runs: Run[] = [];
  const repeater: Repeater<string> = new Repeater<string>({
    clock,
    signal: ended.signal,
    run: () => new Promise((resolve, reject) => runs.push({ began: clock.now() - 1_000, resolve, reject })),
    ...options,
  });
  const advance = async (duration: number) => {
    clock.advance(duration);
    await turn();
  };
  const endRun = async (outcome: string | Error = '') => {
    if (outcome instanceof Error) runs.at(-1)!.reject(outcome);
    else runs.at(-1)!.resolve(outcome);
    await turn();
  };
  return { advance, clock, ended, endRun, repeater, runs, began: () => runs.map(({ began }) => began) };
}

describe('Repeater', () => {
  it('does not run before it is poked', async () => {
    const { advance, began } = setUp();
    await advance(60_000);
    expect(began()).toEqual([]);
  });

  it('holds the first run until it is started, whatever pokes it', async () => {
    const { advance, began, clock, repeater } = setUp({ held: true });
    repeater.poke();
    repeater.poke(10);
    await advance(50);
    expect({ began: began(), timers: clock.pending }).toEqual({ began: [], timers: 0 });
    repeater.start();
    await turn();
    expect(began()).toEqual([50]);
  });

  it('runs once for all pokes of one turn, without a timer', async () => {
    const { began, clock, repeater } = setUp();
    for (let i = 0; i < 100; i++) repeater.poke();
    expect(began()).toEqual([]);
    await turn();
    expect(began()).toEqual([0]);
    expect(clock.pending).toBe(0);
  });

  it('runs at the earliest instant that a poke wants', async () => {
    const { advance, began, endRun, repeater } = setUp();
    repeater.poke(100);
    repeater.poke(30);
    repeater.poke(50);
    await advance(29);
    expect(began()).toEqual([]);
    await advance(1);
    expect(began()).toEqual([30]);
    await endRun();
    await advance(1_000);
    expect(began()).toEqual([30]);
  });

  it('runs again after a poke during a run, and never twice at once', async () => {
    const { advance, began, endRun, repeater } = setUp();
    repeater.poke();
    await turn();
    await advance(10);
    repeater.poke();
    repeater.poke();
    await advance(10);
    expect(began()).toEqual([0]);
    expect(repeater.running).toBe(true);
    await endRun();
    expect(began()).toEqual([0, 20]);
    await endRun();
    await advance(1_000);
    expect(began()).toEqual([0, 20]);
    expect(repeater.running).toBe(false);
  });

  it('runs again when a run pokes it for later, or earlier if something else does', async () => {
    const began: number[] = [];
    const { advance, clock, repeater } = setUp({
      run: async () => {
        began.push(clock.now() - 1_000);
        repeater.poke(100);
        return '';
      },
    });
    repeater.poke();
    await advance(0);
    for (let i = 0; i < 3; i++) await advance(50);
    repeater.poke(10);
    await advance(10);
    await advance(100);
    expect(began).toEqual([0, 100, 160, 260]);
  });

  it('rests for the given time, whatever pokes it', async () => {
    const { advance, began, endRun, repeater } = setUp();
    repeater.poke();
    await advance(0);
    repeater.rest(500);
    repeater.poke();
    await endRun();
    await advance(499);
    repeater.poke();
    await advance(0);
    expect(began()).toEqual([0]);
    await advance(1);
    expect(began()).toEqual([0, 500]);
  });

  it('rests also if it is already about to run', async () => {
    const { advance, began, repeater } = setUp();
    repeater.poke(10);
    repeater.rest(50);
    await advance(49);
    expect(began()).toEqual([]);
    await advance(1);
    expect(began()).toEqual([50]);
  });

  it('keeps waiting when a timer fires early', async () => {
    const { advance, began, clock, repeater } = setUp();
    const exact = clock.setTimeout.bind(clock);
    clock.setTimeout = (callback, delay) => exact(callback, delay - 0.4);
    repeater.poke(20);
    await advance(19.7);
    expect(began()).toEqual([]);
    await advance(10);
    expect(began()[0]).toBeGreaterThanOrEqual(20);
  });

  it('passes errors on with their number, and continues', async () => {
    const errors: [string, number][] = [];
    const { endRun, repeater, runs } = setUp({
      onError: ({ message }, failures) => {
        errors.push([message, failures]);
        repeater.poke();
      },
    });
    repeater.poke();
    await turn();
    await endRun(new Error('a'));
    await endRun(new Error('b'));
    await endRun();
    repeater.poke();
    await turn();
    await endRun(new Error('c'));
    expect(errors).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ]);
    expect(runs).toHaveLength(5);
  });

  it('counts a synchronous throw as a failed run', async () => {
    const errors: string[] = [];
    const { repeater } = setUp({
      run: () => {
        throw new Error('at once');
      },
      onError: ({ message }) => errors.push(message),
    });
    repeater.poke();
    await turn();
    expect(errors).toEqual(['at once']);
    expect(repeater.running).toBe(false);
  });

  describe('next', () => {
    it('lets callers that arrive during a run share the one that begins after it', async () => {
      const { endRun, repeater, runs } = setUp();
      const first = repeater.next();
      await turn();
      const [second, third] = [repeater.next(), repeater.next()];
      await endRun('old');
      expect(await first).toBe('old');
      expect(runs).toHaveLength(2);
      const fourth = repeater.next();
      await endRun('new');
      expect(await Promise.all([second, third])).toEqual(['new', 'new']);
      await endRun('newer');
      expect(await fourth).toBe('newer');
      expect(runs).toHaveLength(3);
    });

    it.each([0, 1, 2, 3, 4])(
      'makes one run at a time, also for a caller that asks again %i microtasks after an answer',
      async (microtasks) => {
        const { endRun, repeater, runs } = setUp();
        const first = repeater.next();
        await turn();
        const waiting = repeater.next();
        const again = first.then(async () => {
          for (let i = 0; i < microtasks; i++) await Promise.resolve();
          return repeater.next();
        });
        await endRun('old');
        expect(runs).toHaveLength(2);
        await endRun('new');
        expect(await waiting).toBe('new');
        // A caller that came before the second run began shares it; a later caller gets a third run, which begins after it.
        if (runs.length === 3) await endRun('newer');
        expect(await again).toBe(runs.length === 2 ? 'new' : 'newer');
      },
    );

    it('rejects only the callers of a failed run', async () => {
      const { endRun, repeater } = setUp();
      const first = repeater.next();
      const failed = expect(first).rejects.toThrow('away');
      await turn();
      const second = repeater.next();
      await endRun(new Error('away'));
      await failed;
      await endRun('back');
      expect(await second).toBe('back');
    });
  });

  describe('after its end', () => {
    it('begins no run, leaves no timer, and rejects callers that wait', async () => {
      const { advance, began, clock, ended, repeater } = setUp();
      repeater.poke(50);
      const waiting = expect(repeater.next(50)).rejects.toThrow('over');
      ended.abort(new Error('over'));
      await waiting;
      expect(clock.pending).toBe(0);
      repeater.poke();
      await expect(repeater.next()).rejects.toThrow('over');
      await advance(1_000);
      expect(began()).toEqual([]);
    });

    it('settles with the present run, reports no error of it, and repeats nothing', async () => {
      const errors: Error[] = [];
      const { ended, endRun, repeater, runs } = setUp({ onError: (error) => errors.push(error) });
      repeater.poke();
      await turn();
      repeater.poke();
      ended.abort(new Error('over'));
      let settled = false;
      void repeater.settled.then(() => (settled = true));
      await turn();
      expect(settled).toBe(false);
      await endRun(new Error('interrupted'));
      expect({ settled, errors, runs: runs.length }).toEqual({ settled: true, errors: [], runs: 1 });
    });
  });

  it('for any pattern: a later run begins for each poke in time, and no two overlap', async () => {
    const pokes = fc.array(
      fc.record({ gap: fc.integer({ min: 0, max: 60 }), delay: fc.integer({ min: 0, max: 60 }) }),
      { minLength: 1, maxLength: 20 },
    );
    const takes = fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pokes, takes, async (pattern, durations) => {
        const clock = new VirtualClock();
        const runs: { began: number; ended: number }[] = [];
        const repeater = new Repeater({
          clock,
          run: () =>
            new Promise<void>((resolve) => {
              const run = { began: clock.now(), ended: Number.POSITIVE_INFINITY };
              clock.setTimeout(() => {
                run.ended = clock.now();
                resolve();
              }, durations[runs.length] ?? 0);
              runs.push(run);
            }),
        });
        const wanted: { at: number; latest: number }[] = [];
        const pass = async (duration: number) => {
          for (let ms = 0; ms <= duration; ms++) {
            clock.advance(ms === 0 ? 0 : 1);
            await turn();
          }
        };
        for (const { gap, delay } of pattern) {
          await pass(gap);
          wanted.push({ at: clock.now(), latest: clock.now() + delay });
          repeater.poke(delay);
        }
        await pass(300);
        for (const [i, { began }] of runs.entries())
          if (i > 0) expect(began).toBeGreaterThanOrEqual(runs[i - 1]!.ended);
        for (const { at, latest } of wanted) {
          const answer = runs.find(({ began }) => began >= at);
          expect(answer).toBeDefined();
          const under = runs.find(({ began, ended }) => began < answer!.began && ended >= latest);
          expect(answer!.began).toBeLessThanOrEqual(Math.max(latest, under?.ended ?? 0));
        }
      }),
      { numRuns: 50 },
    );
  }, 60_000);
});

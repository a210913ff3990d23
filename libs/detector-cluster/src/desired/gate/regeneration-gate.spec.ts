import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GateClock } from './gate-clock.js';
import { RegenerationGate, type RegenerationGateOptions } from './regeneration-gate.js';

/** Time that moves only when told to; pending promises settle between two timers. */
class VirtualClock implements GateClock {
  time = 0;
  readonly timers = new Set<{ due: number; callback: () => void }>();

  now(): number {
    return this.time;
  }

  setTimer(callback: () => void, delay: number): () => void {
    const timer = { due: this.time + delay, callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimer(resolve, delay);
    });
  }

  async advanceTo(time: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...this.timers].sort((a, b) => a.due - b.due);
      if (!next || next.due > time) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    this.time = time;
  }
}

interface Run {
  at: number;
  reasons: readonly string[];
}

function setUp(options: Partial<RegenerationGateOptions> & { duration?: number } = {}) {
  const clock = new VirtualClock();
  const runs: Run[] = [];
  const retries: number[] = [];
  const gate = new RegenerationGate({
    clock,
    onError: (_error, retryIn) => retries.push(retryIn),
    ...options,
    run: async (reasons, signal) => {
      runs.push({ at: clock.now(), reasons });
      if (options.duration) await clock.sleep(options.duration);
      await options.run?.(reasons, signal);
    },
  });
  return { clock, gate, runs, retries };
}

describe('RegenerationGate', () => {
  it('starts 50 ms after the first trigger and answers the whole burst', async () => {
    const { clock, gate, runs } = setUp();
    for (const [time, reason] of [
      [10, 'camera.updated'],
      [30, 'display.created'],
      [45, 'camera.updated'],
    ] as const) {
      await clock.advanceTo(time);
      gate.trigger(reason);
    }
    await clock.advanceTo(10_000);
    expect(runs).toEqual([{ at: 60, reasons: ['camera.updated', 'display.created'] }]);
  });

  it('keeps 500 ms between starts', async () => {
    const { clock, gate, runs } = setUp();
    for (let time = 0; time < 2_000; time += 20) {
      await clock.advanceTo(time);
      gate.trigger('write');
    }
    await clock.advanceTo(10_000);
    expect(runs.map((run) => run.at)).toEqual([50, 550, 1050, 1550, 2050]);
  });

  it('runs again after a trigger that came during a run', async () => {
    const { clock, gate, runs } = setUp({ duration: 900 });
    gate.trigger('first');
    await clock.advanceTo(100);
    gate.trigger('second');
    await clock.advanceTo(5_000);
    expect(runs).toEqual([
      { at: 50, reasons: ['first'] },
      { at: 950, reasons: ['second'] },
    ]);
  });

  it('resyncs every 30 s after the last start, through the same gate', async () => {
    const { clock, gate, runs } = setUp();
    gate.start();
    gate.start();
    await clock.advanceTo(20_000);
    gate.trigger('write');
    await clock.advanceTo(85_000);
    expect(runs).toEqual([
      { at: 20_050, reasons: ['write'] },
      { at: 50_100, reasons: ['resync'] },
      { at: 80_150, reasons: ['resync'] },
    ]);
    await gate.stop();
    expect(clock.timers.size).toBe(0);
  });

  it('repeats a failing run with growing waits and its reasons, and goes on when it succeeds', async () => {
    let left = 6;
    const { clock, gate, runs, retries } = setUp({
      run: () => (left-- > 0 ? Promise.reject(new Error('database is away')) : Promise.resolve()),
    });
    gate.trigger('write');
    await clock.advanceTo(60_000);
    expect(retries).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
    expect(runs.map((run) => run.at)).toEqual([50, 550, 1550, 3550, 7550, 12_550, 17_550]);
    expect(runs.every((run) => run.reasons[0] === 'write')).toBe(true);
    gate.trigger('again');
    await clock.advanceTo(120_000);
    expect(runs.at(-1)).toEqual({ at: 60_050, reasons: ['again'] });
  });

  it('does not let a trigger wait for the end of a retry delay', async () => {
    const { clock, gate, runs } = setUp({ run: () => Promise.reject(new Error('away')), retryDelay: 5_000 });
    gate.trigger('write');
    await clock.advanceTo(1_000);
    gate.trigger('other');
    await clock.advanceTo(1_001);
    expect(runs).toEqual([
      { at: 50, reasons: ['write'] },
      { at: 1_000, reasons: ['write', 'other'] },
    ]);
    await gate.stop();
  });

  it('a synchronous throw counts as a failed run', async () => {
    const { clock, gate, retries } = setUp({
      run: () => {
        throw new Error('at once');
      },
    });
    gate.trigger('write');
    await clock.advanceTo(100);
    expect(retries).toEqual([500]);
    await gate.stop();
  });

  it('stop() waits for the run under way, aborts its signal, reports no error and leaves nothing', async () => {
    let aborted = false;
    const { clock, gate, runs, retries } = setUp({
      duration: 300,
      run: async (_reasons, signal) => {
        aborted = signal.aborted;
        signal.throwIfAborted();
      },
    });
    gate.start();
    gate.trigger('write');
    await clock.advanceTo(100);
    let stopped = false;
    const stopping = gate.stop().then(() => (stopped = true));
    gate.trigger('late');
    await clock.advanceTo(200);
    expect(stopped).toBe(false);
    await clock.advanceTo(400);
    await stopping;
    expect({ aborted, runs: runs.length, retries, timers: clock.timers.size }).toEqual({
      aborted: true,
      runs: 1,
      retries: [],
      timers: 0,
    });
    gate.trigger('later still');
    gate.start();
    expect(clock.timers.size).toBe(0);
  });

  it('waits on when a timer fires early', async () => {
    const { clock, gate, runs } = setUp();
    const exact = clock.setTimer.bind(clock);
    clock.setTimer = (callback, delay) => exact(callback, Math.max(0, delay - 0.4));
    gate.trigger('write');
    await clock.advanceTo(1_000);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.at).toBeGreaterThanOrEqual(50);
  });

  it('for any pattern: bounded starts, never two at once, each trigger answered by a later start', async () => {
    const pattern = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 });
    const outcomes = fc.array(
      fc.record({ duration: fc.integer({ min: 0, max: 1_500 }), fails: fc.boolean() }),
      {
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(pattern, outcomes, fc.boolean(), async (gaps, runOutcomes, resyncs) => {
        const clock = new VirtualClock();
        const starts: number[] = [];
        const ends: number[] = [];
        let active = 0;
        let overlap = 0;
        const gate = new RegenerationGate({
          clock,
          resyncInterval: 30_000,
          run: async () => {
            const outcome = runOutcomes[starts.length];
            starts.push(clock.now());
            overlap = Math.max(overlap, ++active);
            if (outcome) await clock.sleep(outcome.duration);
            active -= 1;
            ends.push(clock.now());
            if (outcome?.fails) throw new Error('failed');
          },
        });
        if (resyncs) gate.start();
        const triggers: number[] = [];
        for (const gap of gaps) {
          await clock.advanceTo(clock.time + gap);
          gate.trigger('write');
          triggers.push(clock.time);
        }
        const horizon = clock.time + 300_000;
        await clock.advanceTo(horizon);
        expect(overlap).toBe(1);
        for (const [i, from] of starts.entries()) {
          if (i > 0) expect(from - starts[i - 1]!).toBeGreaterThanOrEqual(500);
          for (const [j, to] of starts.entries())
            if (j > i) expect(j - i + 1).toBeLessThanOrEqual(Math.floor((to - from) / 500) + 2);
        }
        for (const trigger of triggers) {
          const answer = starts.findIndex((start) => start > trigger);
          expect(answer).toBeGreaterThanOrEqual(0);
          // As soon as the debounce, the distance to the start before and the run under way allow.
          const before = answer > 0 ? Math.max(starts[answer - 1]! + 500, ends[answer - 1]!) : 0;
          expect(starts[answer]).toBeLessThanOrEqual(Math.max(trigger + 50, before));
        }
        const last = starts.at(-1)!;
        if (resyncs) expect(horizon - last).toBeLessThanOrEqual(30_050);
        else expect(clock.timers.size).toBe(0);
        await gate.stop();
        expect(clock.timers.size).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

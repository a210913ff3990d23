import type { TimerHandle } from '@detector-cluster/election';
import { VirtualClock } from '@detector-cluster/election/testing';
import { describe, expect, it } from 'vitest';
import type { ChangedRows } from '../sources/changed-rows.js';
import fc from 'fast-check';
import { RegenerationGate, type RegenerationGateOptions } from './regeneration-gate.js';

/** Pending promises settle between two of its timers. */
class SteppedClock extends VirtualClock {
  private readonly due = new Map<TimerHandle, number>();

  override setTimeout(callback: () => void, delay: number): TimerHandle {
    const fire = () => {
      this.due.delete(timer);
      callback();
    };
    const timer = super.setTimeout(fire, delay);
    this.due.set(timer, this.now() + Math.max(0, delay));
    return timer;
  }

  override clearTimeout(timer: TimerHandle): void {
    this.due.delete(timer);
    super.clearTimeout(timer);
  }

  sleep(delay: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimeout(resolve, delay);
    });
  }

  async advanceTo(time: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = Math.min(...this.due.values());
      if (next > time) break;
      this.advance(Math.max(0, next - this.now()));
    }
    this.advance(time - this.now());
  }
}

/** The timer of resyncs. */
const resyncBy = (clock: SteppedClock) => (callback: () => void, delay: number) => {
  const timer = clock.setTimeout(callback, delay);
  return () => clock.clearTimeout(timer);
};

interface Run {
  at: number;
  reasons: readonly string[];
}

function setUp(options: Partial<RegenerationGateOptions> & { duration?: number } = {}) {
  const clock = new SteppedClock();
  const runs: Run[] = [];
  const retries: number[] = [];
  const scopes: (ChangedRows | null)[] = [];
  const gate = new RegenerationGate({
    clock,
    setResync: resyncBy(clock),
    resyncInterval: 30_000,
    onError: (_error, retryIn) => retries.push(retryIn),
    ...options,
    run: async (reasons, rows, signal, admit) => {
      runs.push({ at: clock.now(), reasons });
      scopes.push(rows);
      if (options.duration) await clock.sleep(options.duration);
      await options.run?.(reasons, rows, signal, admit);
    },
  });
  return { clock, gate, runs, retries, scopes };
}

/** Runs for all rows take 3 s and let others begin after 1 s. */
const admitting = (clock: () => SteppedClock): Partial<RegenerationGateOptions> => ({
  run: async (_reasons, rows, _signal, admit) => {
    if (rows !== null) return clock().sleep(10);
    await clock().sleep(1_000);
    admit();
    await clock().sleep(2_000);
  },
});

describe('RegenerationGate', () => {
  it('starts 20 ms after the first trigger and answers the whole burst', async () => {
    const { clock, gate, runs } = setUp();
    for (const [time, reason] of [
      [10, 'camera.updated'],
      [20, 'display.created'],
      [25, 'camera.updated'],
    ] as const) {
      await clock.advanceTo(time);
      gate.trigger(reason);
    }
    await clock.advanceTo(10_000);
    expect(runs).toEqual([{ at: 30, reasons: ['camera.updated', 'display.created'] }]);
  });

  it.each([
    ['nothing', 0, [20, 40, 60, 80, 100]],
    ['10 ms', 10, [20, 70, 120, 170, 220]],
    ['90 ms', 90, [20, 470, 920, 1370, 1820]],
    ['200 ms', 200, [20, 520, 1020, 1520, 2020]],
  ])(
    'after runs that take %s keeps five times that between starts, at most 500 ms',
    async (_, duration, starts) => {
      const { clock, gate, runs } = setUp({ duration });
      for (let time = 0; time < 2_000; time += 20) {
        await clock.advanceTo(time);
        gate.trigger('write');
      }
      await clock.advanceTo(10_000);
      expect(runs.map((run) => run.at).slice(0, 5)).toEqual(starts);
    },
  );

  it.each([
    ['nothing', 0, [0, 20, 40, 60]],
    ['10 ms', 10, [0, 20, 40, 60]],
    ['90 ms', 90, [0, 150, 600, 1_050]],
    ['1 s', 1_000, [0, 1_000, 2_000, 3_000]],
  ])(
    'runs for some rows right after a trigger, and keeps the distance on average after runs that take %s',
    async (_, duration, starts) => {
      const { clock, gate, runs } = setUp({ duration });
      for (let time = 0; time < 4_000; time += 20) {
        await clock.advanceTo(time);
        gate.trigger('write', { displays: ['d1'] });
      }
      await clock.advanceTo(10_000);
      expect(runs.map((run) => run.at).slice(0, 4)).toEqual(starts);
    },
  );

  it('lets runs for some rows take a fifth of any span of time, and what was saved up', async () => {
    const durations = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 50, maxLength: 50 });
    const pauses = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(durations, pauses, async (each, gaps) => {
        let begun = 0;
        const { clock, gate, runs } = setUp({ run: () => clock.sleep(each[begun++] ?? 1) });
        for (const gap of gaps) {
          gate.trigger('write', { displays: ['d1'] });
          await clock.advanceTo(clock.now() + gap);
        }
        for (let from = 0; from < begun; from++)
          for (let to = from, reading = 0; to < begun; to++) {
            // The last one may begin as soon as nothing saved up is missing.
            expect(reading).toBeLessThanOrEqual((runs[to]!.at - runs[from]!.at) / 5 + 60);
            reading += each[to] ?? 1;
          }
      }),
      { numRuns: 30 },
    );
  });

  it('runs again after a trigger that came during a run', async () => {
    const { clock, gate, runs } = setUp({ duration: 900 });
    gate.trigger('first');
    await clock.advanceTo(100);
    gate.trigger('second');
    await clock.advanceTo(5_000);
    expect(runs).toEqual([
      { at: 20, reasons: ['first'] },
      { at: 920, reasons: ['second'] },
    ]);
  });

  it('runs for the rows of all triggers, and for all rows if one trigger does not name its own', async () => {
    const { clock, gate, scopes } = setUp();
    gate.trigger('write', { displays: ['d1'] });
    gate.trigger('write', { displays: ['d1', 'd2'], models: [7] });
    await clock.advanceTo(100);
    gate.trigger('write', { displays: ['d1'] });
    gate.trigger('raw SQL');
    gate.trigger('write', { displays: ['d3'] });
    await clock.advanceTo(200);
    gate.trigger('write', { cameras: ['c1'] });
    await clock.advanceTo(300);
    expect(scopes).toEqual([
      { displays: ['d1', 'd2'], cameras: [], playlists: [], models: [7] },
      null,
      { displays: [], cameras: ['c1'], playlists: [], models: [] },
    ]);
  });

  it('runs for all rows when there are too many to name', async () => {
    const { clock, gate, scopes } = setUp();
    for (let i = 0; i < 600; i++) gate.trigger('write', { displays: [`d${i}`] });
    await clock.advanceTo(100);
    expect(scopes).toEqual([null]);
  });

  it('runs for all rows after a run for some has failed', async () => {
    let left = 1;
    const { clock, gate, scopes } = setUp({
      run: () => (left-- > 0 ? Promise.reject(new Error('no')) : Promise.resolve()),
    });
    gate.trigger('write', { displays: ['d1'] });
    await clock.advanceTo(10_000);
    expect(scopes.map((rows) => rows === null)).toEqual([false, true]);
  });

  it('runs for some rows while a run for all rows admits it, and not before', async () => {
    const { clock, gate, runs, scopes } = setUp(admitting(() => clock));
    gate.trigger('raw SQL');
    await clock.advanceTo(100);
    gate.trigger('write', { displays: ['d1'] });
    await clock.advanceTo(2_000);
    gate.trigger('write', { displays: ['d2'] });
    await clock.advanceTo(2_008);
    gate.trigger('write', { displays: ['d3'] });
    await clock.advanceTo(10_000);
    expect(runs.map(({ at }) => at)).toEqual([20, 1_020, 2_000, 2_010]);
    expect(scopes.map((rows) => rows?.displays)).toEqual([undefined, ['d1'], ['d2'], ['d3']]);
  });

  it('does not let rows wait for a long run for all rows that is due, too', async () => {
    const { clock, gate, runs, scopes } = setUp(admitting(() => clock));
    gate.trigger('raw SQL');
    await clock.advanceTo(2_000);
    gate.trigger('raw SQL');
    await clock.advanceTo(3_018);
    gate.trigger('write', { displays: ['d1'] });
    await clock.advanceTo(10_000);
    expect(scopes.map((rows) => rows === null)).toEqual([true, false, true]);
    expect(runs.map(({ at }) => at)).toEqual([20, 3_018, 3_028]);
  });

  it('never begins a run for all rows during one for some', async () => {
    const { clock, gate, runs, scopes } = setUp({
      run: (_reasons, rows) => clock.sleep(rows === null ? 200 : 400),
    });
    gate.trigger('raw SQL');
    await clock.advanceTo(1_000);
    gate.trigger('write', { displays: ['d1'] });
    await clock.advanceTo(1_100);
    gate.trigger('raw SQL');
    await clock.advanceTo(5_000);
    expect(scopes.map((rows) => rows === null)).toEqual([true, false, true]);
    expect(runs.map(({ at }) => at)).toEqual([20, 1_000, 1_400]);
  });

  it('repeats a run for all rows when one for some fails in the meantime', async () => {
    const { clock, gate, scopes, retries } = setUp({
      run: async (_reasons, rows, _signal, admit) => {
        admit();
        await clock.sleep(rows === null ? 1_000 : 10);
        if (rows !== null) throw new Error('no');
      },
    });
    gate.trigger('raw SQL');
    await clock.advanceTo(100);
    gate.trigger('write', { displays: ['d1'] });
    await clock.advanceTo(10_000);
    expect(retries).toEqual([500]);
    expect(scopes.map((rows) => rows === null)).toEqual([true, false, true]);
  });

  it('waits for both runs when it stops', async () => {
    const { clock, gate } = setUp(admitting(() => clock));
    gate.trigger('raw SQL');
    await clock.advanceTo(2_000);
    gate.trigger('write', { displays: ['d1'] });
    await clock.advanceTo(2_025);
    let stopped = false;
    const stopping = gate.stop().then(() => (stopped = true));
    await clock.advanceTo(2_100);
    expect(stopped).toBe(false);
    await clock.advanceTo(3_020);
    await stopping;
    expect(clock.pending).toBe(0);
  });

  it('spaces full runs independently of runs for some rows, and resyncs despite the latter', async () => {
    const { clock, gate, runs, scopes } = setUp({
      run: (_reasons, rows) => (rows === null ? clock.sleep(200) : clock.sleep(1)),
    });
    gate.start();
    gate.trigger('raw SQL');
    await clock.advanceTo(230);
    for (let time = 230; time < 31_000; time += 100) {
      await clock.advanceTo(time);
      gate.trigger('write', { displays: ['d1'] });
    }
    expect(runs[1]!.at - 230).toBeLessThanOrEqual(20);
    const whole = runs.filter((_, i) => scopes[i] === null).map(({ at }) => at);
    expect(whole.length).toBe(2);
    expect(whole[1]! - whole[0]!).toBeLessThanOrEqual(30_000 + 40);
    await gate.stop();
  });

  it.each([
    { duration: 300, next: 30_000 },
    { duration: 1_000, next: 100_000 },
    { duration: 10_000, next: 300_000 },
  ])('resyncs $next ms after two runs that took $duration ms', async ({ duration, next }) => {
    const { clock, gate, runs } = setUp({ duration });
    gate.start();
    gate.trigger('write');
    const second = 20 + 30_000 + 20;
    await clock.advanceTo(second + next - 1);
    expect(runs.map(({ at }) => at)).toEqual([20, second]);
    await clock.advanceTo(second + next + 20 + duration);
    expect(runs.map(({ at }) => at)).toEqual([20, second, second + next + 20]);
    await gate.stop();
  });

  it('does not put off resyncs because one run had to wait for a server', async () => {
    const durations = [0, 20_000, 0, 20_000];
    const clock = new SteppedClock();
    const starts: number[] = [];
    const gate = new RegenerationGate({
      clock,
      setResync: resyncBy(clock),
      resyncInterval: 30_000,
      run: () => clock.sleep(durations[starts.push(clock.now()) - 1] ?? 0),
    });
    gate.start();
    await clock.advanceTo(151_000);
    expect(starts).toEqual([30_020, 60_040, 90_060, 120_080, 150_100]);
    await gate.stop();
  });

  it('resyncs every 30 s after the last start, through the same gate', async () => {
    const { clock, gate, runs } = setUp();
    gate.start();
    gate.start();
    await clock.advanceTo(20_000);
    gate.trigger('write');
    await clock.advanceTo(85_000);
    expect(runs).toEqual([
      { at: 20_020, reasons: ['write'] },
      { at: 50_040, reasons: ['resync'] },
      { at: 80_060, reasons: ['resync'] },
    ]);
    await gate.stop();
    expect(clock.pending).toBe(0);
  });

  it('retries a failing run with its reasons and growing delays, and continues when it succeeds', async () => {
    let left = 6;
    const { clock, gate, runs, retries } = setUp({
      run: () => (left-- > 0 ? Promise.reject(new Error('database is unavailable')) : Promise.resolve()),
    });
    gate.trigger('write');
    await clock.advanceTo(60_000);
    expect(retries).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
    expect(runs.map((run) => run.at)).toEqual([20, 520, 1520, 3520, 7520, 12_520, 17_520]);
    expect(runs.every((run) => run.reasons[0] === 'write')).toBe(true);
    gate.trigger('again');
    await clock.advanceTo(120_000);
    expect(runs.at(-1)).toEqual({ at: 60_020, reasons: ['again'] });
  });

  it('does not let a trigger wait for the end of a retry delay', async () => {
    const { clock, gate, runs } = setUp({ run: () => Promise.reject(new Error('away')) });
    gate.trigger('write');
    await clock.advanceTo(1_000);
    gate.trigger('other');
    await clock.advanceTo(1_001);
    expect(runs).toEqual([
      { at: 20, reasons: ['write'] },
      { at: 520, reasons: ['write'] },
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
      run: async (_reasons, _rows, signal) => {
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
    expect({ aborted, runs: runs.length, retries, timers: clock.pending }).toEqual({
      aborted: true,
      runs: 1,
      retries: [],
      timers: 0,
    });
    gate.trigger('later still');
    gate.start();
    expect(clock.pending).toBe(0);
  });

  it('keeps waiting when a timer fires early', async () => {
    const { clock, gate, runs } = setUp();
    const exact = clock.setTimeout.bind(clock);
    clock.setTimeout = (callback, delay) => exact(callback, Math.max(0, delay - 0.4));
    gate.trigger('write');
    await clock.advanceTo(1_000);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.at).toBeGreaterThanOrEqual(20);
  });

  it('for any pattern: starts are bounded and never overlap, and a later start answers each trigger', async () => {
    const pattern = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 });
    const outcomes = fc.array(
      fc.record({ duration: fc.integer({ min: 0, max: 1_500 }), fails: fc.boolean() }),
      {
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(pattern, outcomes, fc.boolean(), async (gaps, runOutcomes, resyncs) => {
        const clock = new SteppedClock();
        const starts: number[] = [];
        const ends: number[] = [];
        let active = 0;
        let overlap = 0;
        const gate = new RegenerationGate({
          clock,
          setResync: resyncBy(clock),
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
        const triggers: { at: number; startsBefore: number }[] = [];
        for (const gap of gaps) {
          await clock.advanceTo(clock.now() + gap);
          gate.trigger('write');
          triggers.push({ at: clock.now(), startsBefore: starts.length });
        }
        const horizon = clock.now() + 300_000;
        await clock.advanceTo(horizon);
        expect(overlap).toBe(1);
        const distanceAfter = (run: number) => Math.min(5 * (ends[run]! - starts[run]!), 500);
        for (const [i, from] of starts.entries()) {
          if (i > 0) expect(from - starts[i - 1]!).toBeGreaterThanOrEqual(distanceAfter(i - 1));
        }
        for (const { at, startsBefore: answer } of triggers) {
          expect(starts.length).toBeGreaterThan(answer);
          // As soon as the debounce, the distance from the previous start and the current run allow.
          const before =
            answer > 0 ? Math.max(starts[answer - 1]! + distanceAfter(answer - 1), ends[answer - 1]!) : 0;
          expect(starts[answer]).toBeLessThanOrEqual(Math.max(at + 20, before));
        }
        const last = starts.at(-1)!;
        const took = (ends.at(-1) ?? last) - last;
        if (resyncs) expect(horizon - last).toBeLessThanOrEqual(Math.max(30_000, 100 * took) + 20);
        else expect(clock.pending).toBe(0);
        await gate.stop();
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

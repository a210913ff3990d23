import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/until.js';
import { SerialLoop } from './serial-loop.js';

interface Run {
  readonly began: number;
  ended: number;
}

describe('SerialLoop', () => {
  const loops: SerialLoop[] = [];
  afterEach(() => loops.splice(0).forEach((loop) => loop.stop()));

  /** A loop whose runs take the given time, in milliseconds. */
  function loopOf(takes: number, next: () => number | null = () => null) {
    const runs: Run[] = [];
    const loop = new SerialLoop();
    const start = () =>
      loop.start(async () => {
        const run: Run = { began: performance.now(), ended: Number.NaN };
        runs.push(run);
        await sleep(takes);
        run.ended = performance.now();
        return next();
      });
    loops.push(loop);
    const ended = async (count: number) => {
      await until(() => runs.length >= count && !Number.isNaN(runs[count - 1]!.ended));
      return runs;
    };
    return { loop, runs, ended, start };
  }

  it('does not run before it is started, whatever changes', async () => {
    const { loop, runs, ended, start } = loopOf(1);
    loop.trigger();
    await sleep(50);
    expect(runs).toHaveLength(0);
    start();
    await ended(1);
  });

  it('sees many changes in one run', async () => {
    const { loop, runs, ended, start } = loopOf(1);
    start();
    for (let i = 0; i < 100; i++) loop.trigger();
    await ended(1);
    await sleep(100);
    expect(runs).toHaveLength(1);
  });

  it('runs again after a change during a run, never twice at once', async () => {
    const { loop, ended, start } = loopOf(120);
    start();
    await sleep(60);
    loop.trigger();
    const [first, second] = (await ended(2)) as [Run, Run];
    expect(second.began).toBeGreaterThanOrEqual(first.ended);
  });

  it('runs when the instant that the last run asked for has come', async () => {
    let asked: number | null = null;
    const { ended, start } = loopOf(1, () => (asked === null ? (asked = performance.now() + 80) : null));
    start();
    const [, second] = (await ended(2)) as [Run, Run];
    expect(second.began).toBeGreaterThanOrEqual(asked! - 1);
  });

  it('does nothing once it is stopped', async () => {
    const { loop, runs, ended, start } = loopOf(1);
    start();
    await ended(1);
    loop.stop();
    loop.trigger();
    await sleep(50);
    expect(runs).toHaveLength(1);
  });
});

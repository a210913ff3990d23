import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Condition } from './condition.js';

const idle = new AbortController().signal;

const asleep = (sleeping: Promise<void>) => {
  let over = false;
  void sleeping.then(() => (over = true));
  return async () => {
    await new Promise(setImmediate);
    return !over;
  };
};

describe('Condition', () => {
  it('sleeps until its time', async () => {
    const clock = new VirtualClock();
    const sleeping = asleep(new Condition(clock).wait(100, idle));
    clock.advance(99);
    expect(await sleeping()).toBe(true);
    clock.advance(1);
    expect(await sleeping()).toBe(false);
  });

  it('can be woken, also in advance, but only once', async () => {
    const clock = new VirtualClock();
    const condition = new Condition(clock);
    const first = asleep(condition.wait(100, idle));
    condition.notify();
    expect(await first()).toBe(false);
    condition.notify();
    expect(await asleep(condition.wait(100, idle))()).toBe(false);
    expect(await asleep(condition.wait(100, idle))()).toBe(true);
  });

  it('waits without a timer for an infinite time', async () => {
    const clock = new VirtualClock();
    const condition = new Condition(clock);
    const sleeping = asleep(condition.wait(Infinity, idle));
    expect(clock.pending).toBe(0);
    expect(await sleeping()).toBe(true);
    condition.notify();
    expect(await sleeping()).toBe(false);
  });

  it('ends when the signal aborts, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const condition = new Condition(clock);
    const sleeping = asleep(condition.wait(100, abort.signal));
    abort.abort();
    expect(await sleeping()).toBe(false);
    expect(clock.pending).toBe(0);
    expect(await asleep(condition.wait(100, abort.signal))()).toBe(false);
  });

  it('leaves no listener on a signal that outlives many waits', async () => {
    const condition = new Condition(new VirtualClock());
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i++) {
      const waiting = condition.wait(Infinity, signal);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      condition.notify();
      await waiting;
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

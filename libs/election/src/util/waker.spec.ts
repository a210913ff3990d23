import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '../testing/virtual-clock.js';
import { Waker } from './waker.js';

const idle = new AbortController().signal;

const asleep = (sleeping: Promise<void>) => {
  let over = false;
  void sleeping.then(() => (over = true));
  return async () => {
    await new Promise(setImmediate);
    return !over;
  };
};

describe('Waker', () => {
  it('sleeps until its time', async () => {
    const clock = new VirtualClock();
    const sleeping = asleep(new Waker(clock).sleep(100, idle));
    clock.advance(99);
    expect(await sleeping()).toBe(true);
    clock.advance(1);
    expect(await sleeping()).toBe(false);
  });

  it('can be woken, also in advance, but only once', async () => {
    const clock = new VirtualClock();
    const waker = new Waker(clock);
    const first = asleep(waker.sleep(100, idle));
    waker.wake();
    expect(await first()).toBe(false);
    waker.wake();
    expect(await asleep(waker.sleep(100, idle))()).toBe(false);
    expect(await asleep(waker.sleep(100, idle))()).toBe(true);
  });

  it('ends when the signal aborts, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const abort = new AbortController();
    const waker = new Waker(clock);
    const sleeping = asleep(waker.sleep(100, abort.signal));
    abort.abort();
    expect(await sleeping()).toBe(false);
    expect(clock.pending).toBe(0);
    expect(await asleep(waker.sleep(100, abort.signal))()).toBe(false);
  });
});

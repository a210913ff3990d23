import { SchedulerRegistry } from '@nestjs/schedule';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListedTimer } from './listed-timer.js';

describe('ListedTimer', () => {
  let registry: SchedulerRegistry;
  let calls: string[];
  beforeEach(() => {
    vi.useFakeTimers();
    registry = new SchedulerRegistry();
    calls = [];
  });
  afterEach(() => void vi.useRealTimers());

  const timerOf = (kind: 'interval' | 'timeout' = 'interval') =>
    new ListedTimer({ registry, kind, key: 'a' });
  const call = (name: string) => () => void calls.push(name);

  it.each(['interval', 'timeout'] as const)('lists an %s that stays between two calls', (kind) => {
    const timer = timerOf(kind);
    const keys = () => (kind === 'interval' ? registry.getIntervals() : registry.getTimeouts());
    expect(keys()).toEqual([]);
    timer.list();
    timer.list();
    expect(keys()).toEqual(['a']);
    timer.set(call('one'), 10);
    timer.set(call('two'), 10);
    vi.advanceTimersByTime(30);
    expect(calls).toEqual(['two']);
    expect(keys()).toEqual(['a']);
    timer.set(call('late'), 10);
    timer.unlist();
    vi.advanceTimersByTime(30);
    expect([keys(), calls]).toEqual([[], ['two']]);
  });

  it('repeats until it is cancelled, also by the call itself', () => {
    const timer = timerOf();
    timer.list();
    const cancel = timer.repeat(() => {
      call('tick')();
      if (calls.length === 3) cancel();
    }, 10);
    vi.advanceTimersByTime(100);
    expect(calls).toEqual(['tick', 'tick', 'tick']);
    expect(timer.listed).toBe(true);
  });

  it('lets no earlier call cancel a later one', () => {
    const timer = timerOf();
    timer.list();
    const cancelFirst = timer.repeat(call('first'), 10);
    timer.repeat(call('second'), 10);
    cancelFirst();
    vi.advanceTimersByTime(20);
    expect(calls).toEqual(['second', 'second']);
  });

  it('is stopped by the deletion of its entry, until it is listed again', () => {
    const timer = timerOf();
    timer.list();
    timer.repeat(call('tick'), 10);
    registry.deleteInterval('a');
    vi.advanceTimersByTime(20);
    timer.set(call('set'), 10);
    vi.advanceTimersByTime(20);
    expect(calls).toEqual([]);
    timer.list();
    timer.set(call('set'), 10);
    vi.advanceTimersByTime(20);
    expect(calls).toEqual(['set']);
  });

  it('touches no entry of another', () => {
    const other = setInterval(call('other'), 10);
    registry.addInterval('a', other);
    const timer = timerOf();
    expect(() => timer.list()).toThrow(/\(a\) already exists/);
    timer.set(call('set'), 10);
    timer.unlist();
    vi.advanceTimersByTime(10);
    expect(calls).toEqual(['other']);
  });
});

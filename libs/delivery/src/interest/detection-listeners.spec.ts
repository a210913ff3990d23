import { describe, expect, it } from 'vitest';
import { DetectionListeners } from './detection-listeners.js';

const one = () => 1;
const two = () => 2;
const three = () => 3;

describe('DetectionListeners', () => {
  it('gives an owner the global listeners and the observers, and a subscription its own listeners', () => {
    const listeners = new DetectionListeners();
    listeners.addGlobal(one);
    listeners.add('d;c', two);
    listeners.observe(three);
    expect(listeners.ofAll()).toEqual([one, three]);
    expect(listeners.of('d;c')).toEqual([two]);
    expect(listeners.of('x;c')).toEqual([]);
  });

  it('does not count an observer as a global listener', () => {
    const listeners = new DetectionListeners();
    listeners.observe(three);
    expect(listeners.hasGlobal).toBe(false);
    listeners.addGlobal(one);
    expect(listeners.hasGlobal).toBe(true);
    listeners.removeGlobal(two);
    expect(listeners.hasGlobal).toBe(true);
    listeners.removeGlobal(one);
    expect(listeners.hasGlobal).toBe(false);
  });

  it('runs a function twice that was added twice, and removes it once at a time', () => {
    const listeners = new DetectionListeners();
    for (const callback of [one, two, one]) listeners.add('d;c', callback);
    expect(listeners.of('d;c')).toEqual([one, two, one]);
    listeners.remove('d;c', one);
    expect(listeners.of('d;c')).toEqual([one, two]);
    listeners.remove('d;c', one);
    listeners.remove('d;c', one);
    expect(listeners.of('d;c')).toEqual([two]);
  });

  it('forgets a subscription with its last listener, also after removeAll', () => {
    const listeners = new DetectionListeners();
    listeners.add('d;c', one);
    listeners.add('d;c', two);
    listeners.removeAll('d;c');
    expect([listeners.subscriptions(), listeners.of('d;c')]).toEqual([[], []]);
    listeners.add('d;c', two);
    listeners.remove('d;c', one);
    expect(listeners.subscriptions()).toEqual(['d;c']);
    listeners.remove('d;c', two);
    expect(listeners.subscriptions()).toEqual([]);
  });

  it('answers with copies, so that a callback may remove itself', () => {
    const listeners = new DetectionListeners();
    listeners.addGlobal(one);
    listeners.add('d;c', two);
    const [all, some] = [listeners.ofAll(), listeners.of('d;c')];
    listeners.removeGlobal(one);
    listeners.removeAll('d;c');
    expect([all, some]).toEqual([[one], [two]]);
  });
});

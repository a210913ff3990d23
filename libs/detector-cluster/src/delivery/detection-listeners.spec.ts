import { describe, expect, it } from '@jest/globals';
import { DetectionListeners } from './detection-listeners.js';

const one = () => 1;
const two = () => 2;

describe('DetectionListeners', () => {
  it('selects by audience and subscription', () => {
    const listeners = new DetectionListeners();
    listeners.addGlobal(one);
    listeners.add('d;c', two);
    expect(listeners.select('d;c', 'owner')).toEqual([one]);
    expect(listeners.select('d;c', 'listener')).toEqual([two]);
    expect(listeners.select('d;c', 'both')).toEqual([one, two]);
    expect(listeners.select('x;c', 'both')).toEqual([one]);
  });

  it('counts the same function twice, and removes the one that is meant', () => {
    const listeners = new DetectionListeners();
    const remove = listeners.add('d;c', one);
    listeners.add('d;c', one);
    remove();
    remove();
    expect(listeners.select('d;c', 'listener')).toEqual([one]);
  });

  it('forgets a subscription with its last listener, also when it was removed at large before', () => {
    const listeners = new DetectionListeners();
    const remove = listeners.add('d;c', one);
    expect(listeners.removeAll('d;c')).toBe(true);
    expect(listeners.removeAll('d;c')).toBe(false);
    listeners.add('d;c', two);
    remove();
    expect(listeners.subscriptions()).toEqual(['d;c']);
    expect(listeners.select('d;c', 'listener')).toEqual([two]);
  });
});

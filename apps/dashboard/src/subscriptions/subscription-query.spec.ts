import { describe, expect, it } from 'vitest';
import { parseRoute } from '../shell/route.js';
import { nextSort, queryOf } from './subscription-query.js';

const inAddress = (hash: string) => queryOf(parseRoute(hash).parameters);

describe('the address of the page', () => {
  it('holds the filter and the order', () => {
    expect(
      inAddress('#/subscriptions?text=a+b&status=pending,failed&worker=ws%3A%2F%2Fw&sort=since,down'),
    ).toEqual({
      text: 'a b',
      statuses: ['failed', 'pending'],
      worker: 'ws://w',
      sort: { column: 'since', descending: true },
    });
  });

  it('has defaults, and tolerates invalid values', () => {
    const none = { text: '', statuses: [], worker: '', sort: { column: 'status', descending: false } };
    expect(inAddress('#/subscriptions')).toEqual(none);
    expect(inAddress('#/subscriptions?status=constructor,failed&sort=toString,down')).toEqual({
      ...none,
      statuses: ['failed'],
    });
  });
});

describe('nextSort', () => {
  it('begins upwards, and turns the order of the same column', () => {
    const upwards = queryOf({ sort: nextSort(queryOf({}).sort, 'worker') }).sort;
    expect(upwards).toEqual({ column: 'worker', descending: false });
    const downwards = queryOf({ sort: nextSort(upwards, 'worker') }).sort;
    expect(downwards).toEqual({ column: 'worker', descending: true });
    expect(nextSort(downwards, 'worker')).toBe('worker');
  });
});

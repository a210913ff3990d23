import { describe, expect, it } from 'vitest';
import { ElectionTimeoutError } from '../shared/errors.js';
import { errorCode } from './election-metrics.js';

describe('errorCode', () => {
  it.each([
    [new ElectionTimeoutError(5), 'ELECTION_TIMEOUT'],
    [Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [Object.assign(new Error('x'), { code: 'user 17 failed' }), 'Error'],
    [Object.assign(new TypeError('x'), { code: 17 }), 'TypeError'],
  ])('of %p is %p', (error, expected) => {
    expect(errorCode(error)).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { redisProblem } from './redis-problem.js';

const coded = (code: string) => Object.assign(new Error('text'), { code });

describe('redisProblem', () => {
  it.each([
    new Error('Connection is closed.'),
    new Error('LOADING Redis is loading the dataset in memory'),
    coded('STORE_UNREACHABLE'),
    coded('TIMEOUT'),
    coded('READONLY'),
  ])('is 503 for %s', (error) => {
    expect(redisProblem(error)?.getStatus()).toBe(503);
  });

  it.each([
    new Error('ERR unknown command'),
    coded('ERR'),
    coded('NOPERM'),
    new TypeError('x'),
    'text',
    null,
  ])('is none for %s', (error) => {
    expect(redisProblem(error)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { isRedisUnavailable } from './is-redis-unavailable.js';

const coded = (code: string) => Object.assign(new Error('text'), { code });

describe('isRedisUnavailable', () => {
  it.each([
    ['a closed connection', new Error('Connection is closed.')],
    ['a server that loads', new Error('LOADING Redis is loading the dataset in memory')],
    ['a store out of reach', coded('STORE_UNREACHABLE')],
    ['a call that timed out', coded('TIMEOUT')],
    ['a replica', coded('READONLY')],
  ])('holds for %s', (_name, error) => {
    expect(isRedisUnavailable(error)).toBe(true);
  });

  it.each([
    ['a wrong command', new Error('ERR unknown command')],
    ['a wrong command of a library', coded('ERR')],
    ['a right that is lacking', coded('NOPERM')],
    ['any other error', new TypeError('x')],
    ['what is no error', null],
  ])('does not hold for %s', (_name, error) => {
    expect(isRedisUnavailable(error)).toBe(false);
  });
});

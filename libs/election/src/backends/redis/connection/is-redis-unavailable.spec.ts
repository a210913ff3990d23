import { describe, expect, it } from 'vitest';
import { describeUnavailable, isRedisUnavailable } from './is-redis-unavailable.js';
import { StoreUnreachableError } from './store.error.js';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });
const coded = (code: string) => Object.assign(new Error('text'), { code });

describe('isRedisUnavailable', () => {
  it.each([
    ['a closed connection', new Error('Connection is closed.')],
    ['a server that loads', new Error('LOADING Redis is loading the dataset in memory')],
    ['a store out of reach', coded('STORE_UNREACHABLE')],
    ['a call that timed out', coded('TIMEOUT')],
    ['a replica', coded('READONLY')],
    ['a full disk', new Error('MISCONF Errors writing to the AOF file: No space left on device')],
    ['a full disk, by a library', coded('MISCONF')],
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

describe('describeUnavailable', () => {
  it.each([
    ['MISCONF Errors writing to the AOF file: No space left on device', /disk is full/],
    ["OOM command not allowed when used memory > 'maxmemory'.", /memory is full/],
    ['LOADING Redis is loading the dataset in memory', /is loading/],
    ['NOAUTH Authentication required.', /cannot be reached/],
  ])('says why Redis does not serve: %s', (message, text) => {
    expect(describeUnavailable(reply(message))).toMatch(text);
  });

  it('says what is wrong with the certificate of Redis', () => {
    const cause = coded('CERT_HAS_EXPIRED');
    expect(describeUnavailable(new StoreUnreachableError('text', cause))).toBe(
      'Redis cannot be reached: its certificate has expired',
    );
  });

  it('takes any other error for a server out of reach', () => {
    expect(describeUnavailable(new Error('connect ECONNREFUSED'))).toBe('Redis cannot be reached');
  });
});

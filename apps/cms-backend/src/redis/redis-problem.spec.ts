import { describe, expect, it } from 'vitest';
import { redisProblem } from './redis-problem.js';

const coded = (code: string) => Object.assign(new Error('text'), { code });

describe('redisProblem', () => {
  it.each([
    ['a closed connection', new Error('Connection is closed.')],
    ['a server that loads', new Error('LOADING Redis is loading the dataset in memory')],
    ['a store out of reach', coded('STORE_UNREACHABLE')],
    ['a call that timed out', coded('TIMEOUT')],
    ['a replica', coded('READONLY')],
  ])('is 503 for %s', (_name, error) => {
    expect(redisProblem(error)?.getStatus()).toBe(503);
  });

  it.each([
    ['a wrong command', new Error('ERR unknown command')],
    ['a wrong command of a library', coded('ERR')],
    ['a right that is lacking', coded('NOPERM')],
    ['any other error', new TypeError('x')],
    ['what is no error', null],
  ])('is none for %s', (_name, error) => {
    expect(redisProblem(error)).toBeNull();
  });
});

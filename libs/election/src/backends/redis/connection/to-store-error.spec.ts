import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { StoreError, toStoreError } from './store.error.js';

const reply = (message: string): Error => new (ReplyError as new (message: string) => Error)(message);

describe('toStoreError', () => {
  it.each([
    ["READONLY You can't write against a read only replica.", 'READONLY'],
    ['OOM command not allowed when used memory > maxmemory. script: ab, on @user_script:12.', 'OOM'],
    ['ERR Error running script (call to f_ab): @user_script:1: -OOM command not allowed', 'OOM'],
    ['ERR Error running script: @user_script:1: -READONLY You cannot write', 'READONLY'],
    ['MOVED 3999 127.0.0.1:6381', 'MOVED'],
    ['ERR unknown command', 'ERR'],
    ['anything else', 'ERR'],
  ])('reads the code of %j', (message, code) => {
    const cause = reply(message);
    const error = toStoreError(cause) as StoreError;
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code, cause });
    expect(error.message).toContain(message);
  });

  it('leaves out where in a script the error was met', () => {
    const place = `script: ${'a2'.repeat(20)}, on @user_script:44.`;
    const { message } = toStoreError(reply(`NOPERM no ${place}`)) as Error;
    expect(message).toMatch(/^Redis refused: NOPERM no \(/);
    expect(message).not.toContain('user_script');
  });

  it('names the remedy', () => {
    expect((toStoreError(reply('MISCONF no space')) as Error).message).toMatch(/free space on the disk/);
    expect((toStoreError(reply('READONLY no')) as Error).message).toMatch(/is a replica; name the master/);
  });

  it.each([
    ['Command timed out', 'TIMEOUT'],
    ['Connection is closed.', 'CONNECTION_LOST'],
    ['Reached the max retries per request limit (which is 0).', 'CONNECTION_LOST'],
  ])('knows %j of the client library', (message, code) => {
    expect(toStoreError(new Error(message))).toMatchObject({ name: 'StoreError', code });
  });

  it('recognizes commands that were not sent', () => {
    const error = new Error("Stream isn't writeable and enableOfflineQueue options is false");
    expect(toStoreError(error)).toMatchObject({ name: 'StoreUnreachableError', code: 'STORE_UNREACHABLE' });
  });

  it('leaves other errors and its own as they are', () => {
    for (const error of [new TypeError('x'), new StoreError('OOM', 'x'), 'text'])
      expect(toStoreError(error)).toBe(error);
  });
});

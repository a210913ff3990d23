import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApplicationCalls, ApplicationTimeoutError } from './application-calls.js';

const never = () => new Promise<never>(() => undefined);

describe('ApplicationCalls', () => {
  it('settles as the callback does', async () => {
    const calls = new ApplicationCalls();
    await expect(calls.run('a', 1_000, () => 7)).resolves.toBe(7);
    await expect(calls.run('a', 1_000, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    await expect(
      calls.run('a', 1_000, () => {
        throw new Error('y');
      }),
    ).rejects.toThrow('y');
    expect(calls.oldest).toBeNull();
  });

  it('gives up a callback that does not answer, by its name, and knows that it is pending', async () => {
    const calls = new ApplicationCalls();
    const hanging = calls.run('modelUrl.urlFor', 30, never);
    await expect(hanging).rejects.toThrow(new ApplicationTimeoutError('modelUrl.urlFor', 30));
    expect(calls.oldest).toMatchObject({ callback: 'modelUrl.urlFor' });
    await sleep(20);
    const again = calls.run('modelUrl.urlFor', 10, never);
    await expect(again).rejects.toThrow(ApplicationTimeoutError);
    expect(calls.oldest!.pendingFor).toBeGreaterThan(45);
    // One answer is enough, although others still hang.
    await calls.run('modelUrl.urlFor', 1_000, () => 'url');
    expect(calls.oldest).toBeNull();
  });

  it('ends with a signal', async () => {
    const ended = new AbortController();
    const hanging = new ApplicationCalls().run('a', 60_000, never, ended.signal);
    ended.abort(new Error('over'));
    await expect(hanging).rejects.toThrow('over');
    await expect(new ApplicationCalls().run('a', 60_000, never, ended.signal)).rejects.toThrow('over');
  });
});

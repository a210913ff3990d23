import { describe, expect, it } from 'vitest';
import { SessionPatches, type PatchSessionHandler } from './session-patches.js';

const message = { type: 'patchSession', sessionId: 7, data: { a: 1 } } as const;

async function answerOf(handler: PatchSessionHandler | null, patchTime = 50) {
  const failures: string[] = [];
  const patches = new SessionPatches({ onFailure: (error) => failures.push(error.message), patchTime });
  if (handler !== null) patches.handleWith(handler);
  const { type, payload } = await patches.answer('ws://w', message);
  expect(type).toBe('patchSessionResult');
  return { ...payload, failures };
}

describe('SessionPatches', () => {
  it('passes the patch to the handler, and answers that it was stored', async () => {
    const seen: unknown[] = [];
    const answer = await answerOf((patch) => void seen.push(patch));
    expect(seen).toEqual([{ sessionId: 7, data: { a: 1 }, workerUrl: 'ws://w' }]);
    expect(answer).toEqual({ sessionId: 7, success: true, failures: [] });
  });

  it.each<[string, PatchSessionHandler | null, object]>([
    ['a result of the handler', async () => ({ success: false, message: 'no such session' }), {}],
    ['no handler', null, { message: expect.stringContaining('does not take') }],
    ['a throw', () => Promise.reject(new Error('disk full')), { message: 'disk full' }],
    ['a synchronous throw', () => JSON.parse('{') as never, { message: expect.stringContaining('JSON') }],
    ['a hang', () => new Promise<never>(() => undefined), { message: 'not stored within 50 ms' }],
    ['a wrong result', (() => 'yes') as never, { message: expect.stringContaining('must return') }],
    [
      'a secret in an error',
      () => Promise.reject(new Error('postgres://u:hunter2@db is unavailable')),
      { message: expect.not.stringContaining('hunter2') },
    ],
  ])('answers with the reason of a failure: %s', async (_case, handler, expected) => {
    expect(await answerOf(handler)).toMatchObject({ sessionId: 7, success: false, ...expected });
  });

  it('aborts a handler whose time is over, and reports what failed once', async () => {
    let signal: AbortSignal | undefined;
    const { failures } = await answerOf((_patch, given) => {
      signal = given;
      return new Promise((_resolve, reject) => given.addEventListener('abort', () => reject(given.reason)));
    });
    expect(signal?.aborted).toBe(true);
    expect(failures).toEqual([expect.stringContaining('the patch of session 7 by ws://w failed')]);
  });

  it('has one handler at a time', () => {
    const patches = new SessionPatches({ onFailure: () => undefined });
    const remove = patches.handleWith(() => undefined);
    expect(() => patches.handleWith(() => undefined)).toThrow(/already/);
    remove();
    patches.handleWith(() => undefined);
    remove();
    expect(() => patches.handleWith(() => undefined)).toThrow(/already/);
  });

  it('refuses more than 1,000 at once', async () => {
    const patches = new SessionPatches({ onFailure: () => undefined, patchTime: 20 });
    patches.handleWith(() => new Promise<never>(() => undefined));
    const answers = await Promise.all(Array.from({ length: 1_001 }, () => patches.answer('ws://w', message)));
    expect(answers.at(-1)?.payload).toMatchObject({ success: false, message: expect.stringMatching(/many/) });
  });
});

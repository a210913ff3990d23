import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sharedCalls } from './application-calls.js';

/** A call that ends on request. */
const controlled = () => {
  const calls: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const shared = sharedCalls(() => new Promise<string>((resolve, reject) => calls.push({ resolve, reject })));
  return { calls, shared };
};

describe('sharedCalls', () => {
  it('lets callers that arrive during a call share the next one, which begins after it', async () => {
    const { calls, shared } = controlled();
    const first = shared();
    const [second, third] = [shared(), shared()];
    await turn();
    expect(calls).toHaveLength(1);
    calls[0]!.resolve('old');
    expect(await first).toBe('old');
    await turn();
    expect(calls).toHaveLength(2);
    // This one comes during the second.
    const fourth = shared();
    calls[1]!.resolve('new');
    expect(await Promise.all([second, third])).toEqual(['new', 'new']);
    await turn();
    calls[2]!.resolve('newer');
    expect(await fourth).toBe('newer');
    expect(calls).toHaveLength(3);
  });

  it.each([0, 1, 2, 3, 4])(
    'makes one call at a time, also for a caller that asks again %i microtasks after an answer',
    async (microtasks) => {
      const { calls, shared } = controlled();
      const first = shared();
      const waiting = shared();
      const again = first.then(async () => {
        for (let i = 0; i < microtasks; i++) await Promise.resolve();
        return shared();
      });
      calls[0]!.resolve('old');
      await turn();
      expect(calls).toHaveLength(2);
      calls[1]!.resolve('new');
      expect(await waiting).toBe('new');
      await turn();
      // A caller that came before the second call began shares it; a later caller gets a third call, which begins after it.
      calls[2]?.resolve('newer');
      expect(await again).toBe(calls.length === 2 ? 'new' : 'newer');
    },
  );

  it('rejects only the callers of a failed call, and continues', async () => {
    const { calls, shared } = controlled();
    const first = shared();
    const second = shared();
    calls[0]!.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    calls[1]!.resolve('back');
    expect(await second).toBe('back');
    const third = shared();
    calls[2]!.resolve('again');
    expect(await third).toBe('again');
  });
});

import { describe, expect, it } from 'vitest';
import { ViewLoader } from './view-loader.js';

const never = new AbortController().signal;

describe('ViewLoader', () => {
  it('fetches four things at a time, and then those first that were asked for last', async () => {
    const asked: string[] = [];
    const arrive: (() => void)[] = [];
    const loader = new ViewLoader((name) => {
      asked.push(name);
      return new Promise<string>((resolve) => arrive.push(() => resolve(name)));
    });
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => loader.load(name, never));
    expect(asked).toEqual(['a', 'b', 'c', 'd']);
    arrive.shift()!();
    expect(await all[0]).toBe('a');
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('does not fetch what has left the view before its turn, and goes to the next after a failure', async () => {
    const asked: string[] = [];
    const loader = new ViewLoader(async (name) => {
      asked.push(name);
      if (name !== 'last') throw new Error('away');
    });
    const left = new AbortController();
    const failed = ['a', 'b', 'c', 'd'].map((name) => loader.load(name, never));
    const last = loader.load('last', never);
    const gone = loader.load('gone', left.signal);
    left.abort();
    expect((await Promise.allSettled([...failed, gone])).map(({ status }) => status)).toEqual(
      Array(5).fill('rejected'),
    );
    await last;
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'last']);
  });
});

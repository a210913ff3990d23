import { describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.js';

const late = () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 20));

const silence = () => new Promise<never>(() => undefined);

describe('waitFor', () => {
  it('waits while the probe finds null, undefined or false, or fails', async () => {
    const answers = [null, undefined, false, new Error('down'), 0];
    const found = waitFor<number>('a number', 10_000, () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer as number | null | undefined | false;
    });
    expect(await found).toBe(0);
    expect(answers).toEqual([]);
  });

  it('says what it has waited for, the last error and the detail', async () => {
    const failing = waitFor(
      'a miracle',
      0,
      () => Promise.reject(new Error('down')),
      () => 'the log',
    );
    await expect(failing).rejects.toThrow('timed out after 0 ms: a miracle (down)\nthe log');
  });

  it('does not wait longer for a probe that never answers', async () => {
    await expect(waitFor('a word', 1, silence)).rejects.toThrow('timed out after 1 ms: a word (no answer)');
  });

  it('gives a probe time that begins at the deadline', async () => {
    expect(await waitFor('a word', 0, late)).toBe('late');
  });

  it.each([
    ['finds nothing', () => null],
    ['never answers', silence],
  ])('ends when its signal aborts, while its probe %s', async (_how, probe) => {
    const ending = new AbortController();
    const waiting = waitFor('nothing', 3_600_000, probe, undefined, ending.signal);
    ending.abort(new Error('ended'));
    await expect(waiting).rejects.toThrow('ended');
  });
});

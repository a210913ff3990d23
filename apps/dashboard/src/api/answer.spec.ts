import { describe, expect, it } from 'vitest';
import { Answer } from './answer.js';

describe('Answer', () => {
  it('holds the answer and its time', async () => {
    const before = Date.now();
    const answer = new Answer(async () => 'yes');
    const loading = answer.load();
    expect(answer.loading.value).toBe(true);
    await loading;
    expect([answer.value.value, answer.problem.value, answer.loading.value]).toEqual(['yes', null, false]);
    expect(answer.at.value).toBeGreaterThanOrEqual(before);
  });

  it('keeps the last good answer beside a later error', async () => {
    const outcomes = [
      Promise.resolve('yes'),
      Promise.reject(new Error('No master')),
      Promise.resolve('again'),
    ];
    const answer = new Answer(() => outcomes.shift()!);
    await answer.load();
    await answer.load();
    expect([answer.value.value, answer.problem.value, answer.loading.value]).toEqual([
      'yes',
      'No master',
      false,
    ]);
    await answer.load();
    expect([answer.value.value, answer.problem.value]).toEqual(['again', null]);
  });

  it('ignores a late answer to an earlier question', async () => {
    const replies: ((value: string) => void)[] = [];
    const answer = new Answer(() => new Promise<string>((resolve) => replies.push(resolve)));
    const [first, second] = [answer.load(), answer.load()];
    replies[1]!('new');
    await second;
    replies[0]!('old');
    await first;
    expect(answer.value.value).toBe('new');
  });
});

import { describe, expect, it } from 'vitest';
import { actOnLetters, type LetterIds } from './letter-actions.js';

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}-0-3`);

describe('replaying letters', () => {
  it('reports how many letters are delivered again, left and gone', async () => {
    const answer = { replayed: 1, left: ['2-0', '3-0'], gone: ['4-0'] };
    expect(await actOnLetters('replay', async () => answer, idsUpTo(4))).toBe(
      '1 letter queued for delivery; 2 letters left because no callback is registered for them any more; 1 letter already gone.',
    );
  });

  it('splits the ids into calls that the service accepts', async () => {
    const asked: LetterIds[] = [];
    const call = async (ids: LetterIds) => {
      asked.push(ids);
      return { replayed: ids.length, left: [], gone: [] };
    };
    expect(await actOnLetters('replay', call, idsUpTo(2_500))).toBe('2,500 letters queued for delivery.');
    expect(asked.map((ids) => ids.length)).toEqual([1_000, 1_000, 500]);
    expect(asked.flat()).toEqual(idsUpTo(2_500));
  });
});

describe('dropping letters', () => {
  it('reports how many letters are dropped, and drops all with one call', async () => {
    const asked: LetterIds[] = [];
    const call = async (ids: LetterIds) => {
      asked.push(ids);
      return { dropped: 7, left: ['1-0'], gone: [] };
    };
    expect(await actOnLetters('drop', call, 'all')).toBe(
      '7 letters dropped; 1 letter left because they are about to be replayed.',
    );
    expect(asked).toEqual(['all']);
  });
});

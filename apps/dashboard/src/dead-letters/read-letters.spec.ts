import { describe, expect, it } from '@jest/globals';
import type { LettersPage } from '../api/cluster-types.js';
import { deadLetter } from './dead-letter.fixture.js';
import { readLetters } from './read-letters.js';

/** Answers as the service does. */
function journal(count: number) {
  const all = Array.from({ length: count }, (_, index) => deadLetter(`${index + 1}-0-3`));
  const asked: LettersPage[] = [];
  const ask = async ({ cursor, ...page }: LettersPage) => {
    const { limit } = page;
    asked.push(page);
    const start = cursor === undefined ? 0 : Number.parseInt(cursor, 10);
    const items = all.slice(start, start + limit);
    return { items, nextCursor: start + limit < all.length ? items.at(-1)!.letterId : null };
  };
  return { all, asked, ask };
}

describe('readLetters', () => {
  it('reads the wanted number of letters, and knows whether there are more', async () => {
    const { all, ask } = journal(120);
    expect(await readLetters(ask, 100)).toEqual({ letters: all.slice(0, 100), more: true });
    expect(await readLetters(ask, 120)).toEqual({ letters: all, more: false });
    expect(await readLetters(ask, 500)).toEqual({ letters: all, more: false });
    expect(await readLetters(journal(0).ask, 100)).toEqual({ letters: [], more: false });
  });

  it('reads several answers if one is not enough', async () => {
    const { all, ask, asked } = journal(600);
    expect(await readLetters(ask, 500)).toEqual({ letters: all.slice(0, 500), more: true });
    expect(asked.map(({ limit }) => limit)).toEqual([200, 200, 100]);
  });
});

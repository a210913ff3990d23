import { describe, expect, it } from 'vitest';
import type { LettersPage } from '../api/cluster-types.js';
import { deadLetter } from './dead-letter.fixture.js';
import { isFiltered, lettersFilter, readLetters } from './letters-filter.js';

const NOW = Date.UTC(2026, 0, 1, 12);

describe('the filter of dead letters', () => {
  it('is what the address of the page says', () => {
    expect(lettersFilter({}, NOW)).toEqual({});
    expect(lettersFilter({ text: ' no space ', camera: 'gate', worker: '', audience: 'owner' }, NOW)).toEqual(
      {
        text: 'no space',
        camera: 'gate',
        audience: 'owner',
      },
    );
    expect(lettersFilter({ sort: 'newest', range: '1h' }, NOW)).toEqual({
      sort: '-failedAt',
      from: '2026-01-01T11:00:00.000Z',
    });
    expect(lettersFilter({ to: '2026-01-01T11:00:00.000Z' }, NOW)).toEqual({
      to: '2026-01-01T11:00:00.000Z',
    });
  });

  it('leaves nothing out if only the order is chosen', () => {
    expect(isFiltered({ sort: 'newest' })).toBe(false);
    for (const name of ['worker', 'range', 'from']) expect(isFiltered({ [name]: 'x' })).toBe(true);
  });
});

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

import { describe, expect, it } from '@jest/globals';
import { isFiltered, lettersFilter } from './letters-filter.js';

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

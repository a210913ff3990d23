import { describe, expect, it } from 'vitest';
import { displaySelect } from './desired-from-displays.js';
import { WATCHED_COLUMNS } from './changed-rows.js';

const columnsOf = (select: object): string[] =>
  Object.entries(select)
    .filter(([, value]) => value === true)
    .map(([name]) => name);

describe('WATCHED_COLUMNS', () => {
  it.each([
    ['Display', displaySelect],
    ['Camera', displaySelect.camera.select],
    ['Playlist', displaySelect.playlist.select],
  ] as const)('has every column of %s that the desired state reads', (model, select) => {
    expect(WATCHED_COLUMNS[model]).toEqual(expect.arrayContaining(columnsOf(select)));
  });
});

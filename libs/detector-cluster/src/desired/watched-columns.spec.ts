import { describe, expect, it } from '@jest/globals';
import { displaySelect } from './display-row.js';
import { WATCHED_COLUMNS } from './watched-columns.js';

const columnsOf = (select: object): string[] =>
  Object.entries(select)
    .filter(([, value]) => value === true)
    .map(([name]) => name);

describe('WATCHED_COLUMNS', () => {
  it.each([
    ['Display', displaySelect],
    ['Camera', displaySelect.camera.select],
    ['Playlist', displaySelect.playlist.select],
    ['Model', displaySelect.playlist.select.model.select],
  ] as const)('has every column of %s that the desired state reads', (model, select) => {
    expect(WATCHED_COLUMNS[model]).toEqual(expect.arrayContaining(columnsOf(select)));
  });
});

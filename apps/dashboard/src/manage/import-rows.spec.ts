import { describe, expect, it } from 'vitest';
import { columnsOf, MAX_ROWS, readRows, rowProblems } from './import-rows.js';
import { KINDS, kindOf } from './kinds.js';

const cameras = kindOf('cameras');

describe('readRows', () => {
  it('makes an item of each row, without its empty cells', () => {
    const text = 'cameraIdentifier;rtspUrl;snapshotInterval\n1;rtsp://192.0.2.1/a;500\n\ncam-2;;soon\n';
    expect(readRows(cameras, text)).toEqual({
      items: [
        { cameraIdentifier: '1', rtspUrl: 'rtsp://192.0.2.1/a', snapshotInterval: 500 },
        { cameraIdentifier: 'cam-2', snapshotInterval: 'soon' },
      ],
      lines: [2, 4],
      problems: [],
    });
    expect(readRows(kindOf('playlists'), 'id,name,modelId\n7,new,3')).toEqual({
      items: [{ id: 7, name: 'new', modelId: 3 }],
      lines: [2],
      problems: [],
    });
  });

  it.each([
    ['', { line: null, detail: /no rows/ }],
    ['cameraIdentifier', { line: null, detail: /no rows/ }],
    [
      'cameraIdentifier,url\na,b',
      { line: 1, field: 'url', detail: /^is not a known column: use cameraIdentifier, rtspUrl/ },
    ],
    ['rtspUrl,rtspUrl\na,b', { line: 1, field: 'rtspUrl', detail: /^appears twice: remove/ }],
    ['cameraIdentifier\na\nb,c', { line: 3, field: '', detail: /2 cells for 1 columns/ }],
    ['cameraIdentifier\n"a', { line: null, detail: /line 2: a quote/ }],
    [`cameraIdentifier\n${'a\n'.repeat(MAX_ROWS + 1)}`, { line: null, detail: /1001 rows.*split/ }],
  ])('says what is wrong with %j', (text, { detail, ...place }) => {
    expect(readRows(cameras, text).problems).toEqual([
      expect.objectContaining({ ...place, detail: expect.stringMatching(detail) }),
    ]);
  });

  it('reads the rows and columns of a wrong file that are not wrong', () => {
    const read = readRows(cameras, 'cameraIdentifier,url,rtspUrl\na,x,soon\nb,c,d,e\n');
    expect(read.problems.map(({ line }) => line)).toEqual([1, 3]);
    expect(read).toMatchObject({ items: [{ cameraIdentifier: 'a', rtspUrl: 'soon' }], lines: [2] });
    expect(read.items[0]).not.toHaveProperty('url');
  });

  it('takes every field of every form', () => {
    for (const kind of KINDS)
      for (const name of columnsOf(kind)) expect(readRows(kind, `${name}\n1`)).toMatchObject({ lines: [2] });
  });
});

describe('rowProblems', () => {
  it('names the line and the field of what the service has refused', () => {
    const issues = [
      { place: 'items/1/rtspUrl', detail: 'must be a URL' },
      { place: 'items/0', detail: 'would change' },
      { place: 'items/1/displayId', detail: 'is also in item 0: give each display once' },
      { place: 'items', detail: 'must have at most 1000 items' },
      { place: 'items/9', detail: 'x' },
    ];
    expect(rowProblems(issues, [2, 5])).toEqual([
      { line: 5, field: 'rtspUrl', detail: 'must be a URL' },
      { line: 2, field: '', detail: 'would change' },
      { line: 5, field: 'displayId', detail: 'is also in line 2: give each display once' },
      { line: null, field: 'items', detail: 'must have at most 1000 items' },
      { line: null, field: 'items/9', detail: 'x' },
    ]);
  });
});

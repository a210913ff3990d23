import { tempDirectory } from '@detector-cluster/dev-services';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodHistory } from './good-history.fixture.js';
import { History } from './history.js';
import type { HistoryLine } from './history-line.js';

let directory: string;
beforeAll(async () => {
  directory = await tempDirectory('histories');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const header = { scenario: 'fence', seed: 7, acceptance: 'none', promises: [] } as const;

describe('History', () => {
  it('reads what processes have appended since the last time', () => {
    const history = History.create(join(directory, 'new', 'fence-7.jsonl'), header);
    history.write([{ accepted: { id: '1-1-7', at: 5 } }, { fault: { what: 'kill', at: 6 } }]);
    history.read();
    history.write([{ accepted: { id: '1-1-7', at: 9 } }, { dropped: '1-1-8' }]);
    history.read();
    history.close();
    expect(history.header).toEqual({ version: 1, ...header });
    expect([...history.accepted]).toEqual([['1-1-7', { id: '1-1-7', at: 5 }]]);
    expect([history.faults.length, [...history.dropped], history.end]).toEqual([1, ['1-1-8'], undefined]);
  });

  it('takes the lines of a long run at once', () => {
    const history = History.create(join(directory, 'long.jsonl'), header);
    history.write(Array.from({ length: 300_000 }, (_, i) => ({ dropped: `1-1-${i}` })));
    history.read();
    history.close();
    expect(history.dropped.size).toBe(300_000);
  });

  it('keeps the file, and replaces it when a run begins again', () => {
    const path = join(directory, 'again.jsonl');
    for (const seed of [1, 2]) {
      const history = History.create(path, { ...header, seed });
      history.write({ dropped: `of ${seed}` });
      history.close();
    }
    expect([...History.open(path).dropped]).toEqual(['of 2']);
  });

  it.each<[string, (string | HistoryLine)[], RegExp]>([
    ['is not JSON', [...goodHistory().slice(0, 2), '{"claim":'], /line 3 is not JSON$/],
    [
      'is of no kind',
      [goodHistory()[0]!, '{"clame":{}}'],
      /line 2 must have one of history, process, claim, /,
    ],
    ['is of two kinds', [goodHistory()[0]!, '{"dropped":"a","finished":"a"}'], /line 2 must have one of/],
    [
      'lacks a field',
      [goodHistory()[0]!, '{"accepted":{"id":"a"}}'],
      /line 2 accepted\.at must be of type number$/,
    ],
    [
      'has another version',
      ['{"history":{"version":2,"scenario":"a","seed":1,"acceptance":"none","promises":[]}}'],
      /line 1 has a version/,
    ],
    ['is missing at the beginning', ['{"dropped":"a"}'], /the first line must be that of the history$/],
  ])('refuses a file with a line that %s', async (_name, lines, message) => {
    const path = join(directory, 'bad.jsonl');
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    await writeFile(path, texts.map((line) => `${line}\n`).join(''));
    expect(() => History.open(path)).toThrow(message);
  });

  it('names a file that does not exist', () => {
    expect(() => History.open(join(directory, 'none.jsonl'))).toThrow(/none\.jsonl: there is no such file$/);
  });
});

import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseCsv } from '../../../dashboard/src/manage/csv.js';
import { exported, exportQuery } from './export.js';
import { pageFields } from './pagination.js';

const item = z.object({ name: z.string().nullable(), count: z.number(), boxes: z.array(z.number()) });
type Item = z.infer<typeof item>;

const fileOf = async (format: 'csv' | 'jsonl', ...pages: (Item[] | Error)[]) => {
  const file = await exported<Item>({
    name: 'things',
    format,
    item,
    read: async ({ cursor = '0' }) => {
      const items = pages[Number(cursor)]!;
      if (items instanceof Error) throw items;
      const next = Number(cursor) + 1;
      return { items, nextCursor: next < pages.length ? String(next) : null };
    },
  });
  return text(file.getStream());
};

const named = (name: string | null) => ({ name, count: -1, boxes: [0, 1] });

describe('an export', () => {
  it('has the items of all pages', async () => {
    const pages = [[named('a'), named(null)], [], [named('b')]];
    expect(await fileOf('csv', ...pages)).toBe(
      'name,count,boxes\r\na,-1,"[0,1]"\r\n,-1,"[0,1]"\r\nb,-1,"[0,1]"\r\n',
    );
    const lines = (await fileOf('jsonl', ...pages)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Item)).toEqual(pages.flat());
    expect(await fileOf('csv', [])).toBe('name,count,boxes\r\n');
  });

  it('has no field that the list does not have', async () => {
    const more = { ...named('a'), secret: 'hunter2' };
    for (const format of ['csv', 'jsonl'] as const)
      expect(await fileOf(format, [more])).not.toContain('hunter2');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '\n=1', '\u0000=1', '＝1', '\ttext'])(
    'gives a spreadsheet no formula: %j',
    async (name) => {
      const [, [cell] = []] = parseCsv(await fileOf('csv', [named(name)])).map(({ cells }) => cells);
      expect(cell).toBe(`'${name}`);
    },
  );

  it('can be read again, whatever its texts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), async (names) => {
        const lines = (await fileOf('jsonl', names.map(named))).split('\n').slice(0, -1);
        expect(lines.map((line) => (JSON.parse(line) as Item).name)).toEqual(names);
      }),
    );
  });

  it('is refused if it cannot be read, and ends with an error if that happens later', async () => {
    const broken = new Error('unavailable');
    await expect(fileOf('csv', broken)).rejects.toThrow('unavailable');
    await expect(fileOf('csv', [named('a')], broken)).rejects.toThrow('unavailable');
  });

  it('takes the filters of its list and a format, but no page', () => {
    const query = exportQuery(z.strictObject({ ...pageFields, text: z.string().optional() }));
    expect(query.parse({ format: 'csv', text: 'a' })).toEqual({ format: 'csv', text: 'a' });
    for (const wrong of [
      {},
      { format: 'xml' },
      { format: 'csv', limit: '1' },
      { format: 'csv', cursor: 'a' },
    ])
      expect(query.safeParse(wrong).success).toBe(false);
  });
});

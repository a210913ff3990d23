import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import type { Page } from './pagination.js';

/** Items that are read at once. */
const CHUNK = 1_000;

/** Programs for spreadsheets take a text that begins so for a formula. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/u;

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

/** The query of a list as that of its export, which has no pages. */
export function exportQuery<Shape extends z.ZodRawShape>(list: z.ZodObject<Shape>) {
  const { limit: _limit, cursor: _cursor, ...filters } = list.shape;
  return z.strictObject({
    ...(filters as Omit<Shape, 'limit' | 'cursor'>),
    format: z
      .enum(['csv', 'jsonl'], 'must be csv or jsonl')
      .meta({ description: '`csv`: RFC 4180 with a line of names; `jsonl`: a JSON object on each line' }),
  });
}

export interface ExportOptions<Item> {
  /** Of the file. */
  readonly name: string;
  readonly format: keyof typeof TYPES;
  /** What of an item is exported. */
  readonly item: z.ZodObject;
  readonly read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<Item>>;
}

/**
 * Streams a list, page by page. Rejects if it cannot be read. If that happens later, the connection breaks, so that no part of a list
 * looks like all of it.
 */
export async function exported<Item extends object>({
  name,
  format,
  item,
  read,
}: ExportOptions<Item>): Promise<StreamableFile> {
  const columns = Object.keys(item.shape);
  const lineOf = (given: Item): string => {
    const fields = item.parse(given);
    return format === 'csv'
      ? csvLine(columns.map((column) => fields[column]))
      : `${JSON.stringify(fields)}\n`;
  };
  const first = await read({ limit: CHUNK });
  async function* lines() {
    if (format === 'csv') yield csvLine(columns);
    for (let page = first; ; page = await read({ limit: CHUNK, cursor: page.nextCursor })) {
      yield page.items.map(lineOf).join('');
      if (page.nextCursor === null) return;
    }
  }
  return new StreamableFile(Readable.from(lines()), {
    type: TYPES[format],
    disposition: `attachment; filename="${name}.${format}"`,
  });
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

/** An apostrophe keeps text that a spreadsheet would run as a formula a text. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = typeof value === 'string' && FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

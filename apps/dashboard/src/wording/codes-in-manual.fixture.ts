import { readFileSync } from 'node:fs';

const manual = readFileSync(new URL('../../../../docs/detector-cluster.md', import.meta.url), 'utf8');

/** The codes in the first column of the tables, or in the text, between two marks of the manual. */
export function codesInManual(from: string, to: string, where: 'tables' | 'text' = 'tables'): string[] {
  const start = manual.indexOf(from);
  const end = manual.indexOf(to, start + from.length);
  if (start === -1 || end === -1)
    throw new Error(`docs/detector-cluster.md has no ${start === -1 ? from : to}`);
  const part = manual.slice(start, end);
  const cells = where === 'text' ? [part] : Array.from(part.matchAll(/^\| ([^|]+)\|/gm), ([, cell]) => cell!);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([a-z-]+)`/g), ([, code]) => code!));
}

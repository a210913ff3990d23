import { readFileSync } from 'node:fs';

/** The codes in the first column of the tables, or in the text, between two marks of a page in `docs`. */
export function codesInManual(
  page: string,
  from: string,
  to: string,
  where: 'tables' | 'text' = 'tables',
): string[] {
  const manual = readFileSync(new URL(`../../../../docs/${page}.md`, import.meta.url), 'utf8');
  const start = manual.indexOf(from);
  const end = manual.indexOf(to, start + from.length);
  if (start === -1 || end === -1) throw new Error(`docs/${page}.md has no ${start === -1 ? from : to}`);
  const part = manual.slice(start, end);
  const cells = where === 'text' ? [part] : Array.from(part.matchAll(/^\| ([^|]+)\|/gm), ([, cell]) => cell!);
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`([a-z-]+)`/g), ([, code]) => code!));
}

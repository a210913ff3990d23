/** One record of a CSV file. */
export interface CsvRow {
  /** Line of the file in which it begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const SEPARATORS = [',', ';', '\t'] as const;

/**
 * Reads CSV (RFC 4180) separated by commas, semicolons or tabs, whichever the first line has most of. Line breaks in quotes are
 * part of a cell. Empty lines are left out.
 * @throws `Error` naming the line of a quote that has no end
 */
export function parseCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(source);
  const rows: CsvRow[] = [];
  let line = 1;
  let begin = 1;
  let cells: string[] = [];
  let cell = '';
  const endCell = () => {
    cells.push(cell.trim());
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (cells.some((each) => each !== '')) rows.push({ line: begin, cells });
    cells = [];
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === '"' && cell.trim() === '') {
      const end = endOfQuote(source, at + 1);
      if (end === -1) throw new Error(`line ${line}: a quote has no end`);
      const quoted = source.slice(at + 1, end);
      cell = quoted.replaceAll('""', '"');
      line += quoted.split('\n').length - 1;
      at = end;
    } else if (char === separator) endCell();
    else if (char === '\n') {
      endRow();
      line += 1;
      begin = line;
    } else cell += char;
  }
  endRow();
  return rows;
}

/** The position of the quote that ends a quoted cell; two quotes stand for one in it. */
function endOfQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

function separatorOf(text: string): string {
  const [first = ''] = text.trimStart().split('\n', 1);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0]!;
}

const WRITES =
  /\b(?:insert|update|delete|merge|truncate|copy|call|do|alter|drop|create|refresh|execute|into)\b/i;
const COMMENTS_AND_TEXTS = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

function textOf(args: unknown): string | null {
  if (typeof args === 'string') return args;
  // [text, ...values] of the unsafe forms, [strings, ...values] of a template, or an object of Prisma.sql.
  if (Array.isArray(args)) return args.length > 0 ? (joined(args[0]) ?? textOf(args[0])) : null;
  if (typeof args !== 'object' || args === null) return null;
  const { strings, sql, text } = args as { strings?: unknown; sql?: unknown; text?: unknown };
  return joined(strings) ?? [sql, text].find((value) => typeof value === 'string') ?? null;
}

function joined(strings: unknown): string | null {
  return Array.isArray(strings) && strings.every((part) => typeof part === 'string')
    ? strings.join(' ? ')
    : null;
}

/**
 * Whether raw SQL may write: whether a word that begins a writing statement stands outside of comments, texts and quoted
 * names. SQL that cannot be read counts as writing; a function with side effects is not recognised.
 */
export function changesData(args: unknown): boolean {
  const sql = textOf(args);
  return sql === null || WRITES.test(sql.replaceAll(COMMENTS_AND_TEXTS, ' '));
}

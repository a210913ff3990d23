import type { CodeBlock } from '../markdown/markdown-document.js';

/** Marks the place of the block in a context. */
const PLACE = '/* block */';

/** A block as a file that can be compiled. */
export interface Compilable {
  readonly text: string;
  /** Number of lines before the block. */
  readonly offset: number;
}

/**
 * Inserts a block into its context, and makes a module of it.
 * @param context Text of the context; default: only the block.
 * @throws Error if the context has no place for it.
 */
export function applyContext({ text }: CodeBlock, context: string | undefined): Compilable {
  const [before, after, ...more] = (context ?? `${PLACE}\n`).split(PLACE);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`a context has one place, ${PLACE}, for the block`);
  return {
    text: `${before}\n${text}${after}\nexport {};\n`,
    offset: before.split('\n').length,
  };
}

import type { CodeBlock } from '../markdown/markdown-document.js';

/** Where a context has the place of its block. */
const PLACE = '/* block */';

/** A block as a file that can be compiled. */
export interface Compilable {
  readonly text: string;
  /** How many lines stand before the block. */
  readonly offset: number;
}

/**
 * Puts a block where its context says, and makes a module of it.
 * @param context Text of the context; none: the block stands for itself.
 * @throws Error when the context has no place for it.
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

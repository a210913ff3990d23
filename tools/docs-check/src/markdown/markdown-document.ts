/** A fenced block of code. */
export interface CodeBlock {
  /** Path of its document from the root of the repository. */
  readonly document: string;
  /** Line number of its first line of code in the document, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** From `<!-- context: name -->` before it: the code around a fragment when it is compiled. */
  readonly context?: string;
  /** From `<!-- file: name.ts -->` before it: the name by which other blocks of the document import it. */
  readonly file?: string;
}

/** A text with its line. */
export interface Mention {
  readonly line: number;
  readonly text: string;
}

/** The parts of a Markdown file that the checks need. */
export interface MarkdownDocument {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** Targets of links and images. */
  readonly links: readonly Mention[];
  /** Code within the text. */
  readonly code: readonly Mention[];
  /** Possible link targets after `#`. */
  readonly anchors: ReadonlySet<string>;
}

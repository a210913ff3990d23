/** A fenced block of code. */
export interface CodeBlock {
  /** Path of its document from the root of the repository. */
  readonly document: string;
  /** Of its first line of code in the document, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** From `<!-- context: name -->` before it: what a fragment is compiled within. */
  readonly context?: string;
  /** From `<!-- file: name.ts -->` before it: how other blocks of the document import it. */
  readonly file?: string;
}

/** Something that stands in a line of text. */
export interface Mention {
  readonly line: number;
  readonly text: string;
}

/** What the checks need of a Markdown file. */
export interface MarkdownDocument {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  /** Targets of links and images. */
  readonly links: readonly Mention[];
  /** Code within the text. */
  readonly code: readonly Mention[];
  /** What a link may name after `#`. */
  readonly anchors: ReadonlySet<string>;
}

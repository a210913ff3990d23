/** Something in a document that is not so. */
export interface Problem {
  /** Path of the document from the root of the repository. */
  readonly document: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** `README.md:12: what is wrong`, one for each, as a test shows them. */
export function toLines(problems: readonly Problem[]): string[] {
  return problems.map(({ document, line, message }) => `${document}:${line}: ${message}`);
}

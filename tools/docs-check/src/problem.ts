/** An error in a document. */
export interface Problem {
  /** Path of the document from the root of the repository. */
  readonly document: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Formats each problem as `README.md:12: what is wrong`, for the output of a test. */
export function toLines(problems: readonly Problem[]): string[] {
  return problems.map(({ document, line, message }) => `${document}:${line}: ${message}`);
}

import { HttpException } from '@nestjs/common';
import type { Problem } from './problem.js';

type Content = Omit<Problem, 'type' | 'instance'>;

/** An error that knows its problem details; the filter adds the path of the request. */
export class ProblemException extends HttpException {
  readonly problem: Omit<Problem, 'instance'>;

  /** @param kind last part of the problem's type, e.g. `not-found`. */
  constructor(
    kind: string,
    content: Content,
    readonly headers: Readonly<Record<string, string>> = {},
    options: { cause?: unknown } = {},
  ) {
    super(content.detail, content.status, options);
    this.problem = { type: `urn:cms-backend:problem:${kind}`, ...content };
  }
}

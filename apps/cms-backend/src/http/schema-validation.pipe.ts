import { type ArgumentMetadata, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import type { ProblemIssue } from './problem.js';
import { problems } from './problems.js';

/** The part of a zod issue that is used here; Standard Schema issues have it too. */
interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
  readonly code?: string;
  /** Of `unrecognized_keys`. */
  readonly keys?: readonly string[];
}

/** The source of the validated value. `name` is set for a single path or query parameter. */
interface ValueOrigin {
  readonly source: 'body' | 'query' | 'param';
  readonly name?: string;
}

/** Every issue of a validation as problem issues: JSON pointers for a body, names for parameters. */
export function toProblemIssues(issues: readonly SchemaIssue[], origin: ValueOrigin): ProblemIssue[] {
  return issues.flatMap((issue) => {
    const path = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
    if (issue.code !== 'unrecognized_keys') return [place(path, issue.message, origin)];
    return (issue.keys ?? []).map((key) => place([...path, key], 'is not known here', origin));
  });
}

function place(path: string[], detail: string, { source, name }: ValueOrigin): ProblemIssue {
  if (source === 'body') return { pointer: jsonPointer(path), detail };
  const parameter = name ?? path[0];
  return parameter === undefined ? { detail } : { parameter, detail };
}

/** RFC 6901 pointer in its URI fragment form: `~` and `/` escaped, the rest percent-encoded where a URI needs it. */
export function jsonPointer(path: readonly string[]): string {
  const escaped = path.map((step) =>
    // encodeURIComponent throws on half a surrogate pair, which JSON can carry.
    encodeURIComponent(
      step
        .replaceAll(/\p{Surrogate}/gu, '\ufffd')
        .replaceAll('~', '~0')
        .replaceAll('/', '~1'),
    ),
  );
  return ['#', ...escaped].join('/');
}

class IssuesFound extends Error {
  constructor(readonly issues: readonly SchemaIssue[]) {
    super('validation failed');
  }
}

/** Validates `@Body`, `@Query` and `@Param` with the schema given to the decorator; answers 422 with every issue. */
@Injectable()
export class SchemaValidationPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: (issues) => new IssuesFound(issues) });
  }

  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof IssuesFound)) throw error;
      throw problems.validation(toProblemIssues(error.issues, origin(metadata)));
    }
  }

  /** Nest would remove members named `__proto__` silently. Schemas refuse them like any other unknown member. */
  protected override stripProtoKeys(): void {}
}

function origin({ type, data }: ArgumentMetadata): ValueOrigin {
  const source = type === 'query' || type === 'param' ? type : 'body';
  return data === undefined ? { source } : { source, name: data };
}

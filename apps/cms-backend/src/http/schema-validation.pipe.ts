import { Injectable, StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { problems } from './problem/problems.js';
import { toProblemIssues, type SchemaIssue, type ValueOrigin } from './problem/schema-issues.js';

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

  /** Nest would take members named `__proto__` away unsaid; schemas refuse them like any other that is not known. */
  protected override stripProtoKeys(): void {}
}

function origin({ type, data }: ArgumentMetadata): ValueOrigin {
  const source = type === 'query' || type === 'param' ? type : 'body';
  return data === undefined ? { source } : { source, name: data };
}

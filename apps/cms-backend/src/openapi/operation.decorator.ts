import { Reflector } from '@nestjs/core';

/** What the API description says of a handler beyond its route and schemas, which it takes from Nest's decorators. */
export interface OperationOptions {
  readonly summary: string;
  /** Statuses of the problems it answers with, beside those that any handler may answer with. */
  readonly problems?: readonly number[];
  /** Statuses other than 2xx on which it answers with the schema of its success. */
  readonly sameSchemaOn?: readonly number[];
  /** Whether it honours `If-Match`. */
  readonly conditional?: boolean;
  /** Content type of its success. Default `application/json`. */
  readonly produces?: string;
}

export const Operation = Reflector.createDecorator<OperationOptions>();

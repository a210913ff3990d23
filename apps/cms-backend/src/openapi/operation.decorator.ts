import { Reflector } from '@nestjs/core';

/** Information for the API description that Nest's decorators do not contain. */
export interface OperationOptions {
  readonly summary: string;
  /** Statuses of its problems, in addition to those that any handler may answer. */
  readonly problems?: readonly number[];
  /** Statuses other than 2xx whose answers have the schema of a success. */
  readonly sameSchemaOn?: readonly number[];
  /** Whether it honours `If-Match`. */
  readonly conditional?: boolean;
  /** Content type of a success. Default `application/json`. */
  readonly produces?: string;
}

export const Operation = Reflector.createDecorator<OperationOptions>();

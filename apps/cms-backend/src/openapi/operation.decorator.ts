import { applyDecorators, SerializeOptions } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { z } from 'zod';

/** What a handler answers, and information for the API description that Nest's decorators do not contain. */
export interface OperationOptions {
  readonly summary: string;
  /** Schema of a success in JSON or text. Without it, the answer is a file, or empty. */
  readonly answer?: z.ZodType;
  /** Statuses of its problems, in addition to those that follow from its method and its schemas. */
  readonly problems?: readonly number[];
  /** Statuses other than 2xx whose answers have the schema of a success. */
  readonly sameSchemaOn?: readonly number[];
  /** Whether it honours `If-Match`. */
  readonly conditional?: boolean;
  /** Whether it needs no API key. */
  readonly isPublic?: boolean;
  /** Content type of a success. Default `application/json`. */
  readonly produces?: string;
}

export const OperationMetadata = Reflector.createDecorator<OperationOptions>();

export function Operation(options: OperationOptions): MethodDecorator {
  return applyDecorators(OperationMetadata(options), SerializeOptions({ schema: options.answer }));
}

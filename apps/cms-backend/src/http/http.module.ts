import { Module, StandardSchemaSerializerInterceptor } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ApiKeyCheck } from './api-key-check.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { ProblemFilter } from './problem/problem.filter.js';
import { RateLimit } from './rate-limit.js';
import { SchemaValidationPipe } from './schema-validation.pipe.js';

/** What holds for every handler: API keys, a record of changes, validation by schema, responses by schema, errors as problem details. */
@Module({
  providers: [
    ApiKeyCheck,
    RateLimit,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_PIPE, useClass: SchemaValidationPipe },
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
    { provide: APP_INTERCEPTOR, useClass: StandardSchemaSerializerInterceptor },
  ],
  exports: [ApiKeyCheck, RateLimit],
})
export class HttpModule {}

import { Module, StandardSchemaSerializerInterceptor } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { Callers } from './callers.js';
import { AuditController } from './audit.controller.js';
import { AuditInterceptor } from './audit.interceptor.js';
import { AuditTrail } from './audit-trail.js';
import { EtagInterceptor } from './etag.interceptor.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyStore } from './idempotency-store.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimit } from './rate-limit.js';
import { SchemaValidationPipe } from './schema-validation.pipe.js';

/** Rules for every handler: API keys, a record of changes, validation by schema, responses by schema, errors as problem details. */
@Module({
  controllers: [AuditController],
  providers: [
    AuditTrail,
    Callers,
    RateLimit,
    IdempotencyStore,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_PIPE, useClass: SchemaValidationPipe },
    // The first one is the outermost: what the others refuse is recorded, too.
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: EtagInterceptor },
    { provide: APP_INTERCEPTOR, useClass: StandardSchemaSerializerInterceptor },
  ],
  exports: [Callers, RateLimit],
})
export class HttpModule {}

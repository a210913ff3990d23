import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import type { IdentifiedRequest } from './api-key.guard.js';
import { isSafe } from './require-same-origin.middleware.js';

/** Logs who has changed something, by the name of the key. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const { caller, method, originalUrl } = http.getRequest<IdentifiedRequest>();
    if (isSafe(method) || caller === undefined) return next.handle();
    const log = (outcome: string) => this.logger.log(`${caller.name}: ${method} ${originalUrl}: ${outcome}`);
    return next.handle().pipe(
      tap({
        complete: () => log(String(http.getResponse<Response>().statusCode)),
        error: (error: Error) => log(`failed: ${error.name}`),
      }),
    );
  }
}

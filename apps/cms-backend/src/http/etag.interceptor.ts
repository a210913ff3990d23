import { Injectable, type NestInterceptor, type ExecutionContext, type CallHandler } from '@nestjs/common';
import type { Response } from 'express';
import { type Observable, map } from 'rxjs';

/** Sends the version of an entry as the header `ETag`, too. */
@Injectable()
export class EtagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    return next.handle().pipe(
      map((answer) => {
        const etag = (answer as { readonly etag?: unknown } | null | undefined)?.etag;
        if (typeof etag === 'string')
          context.switchToHttp().getResponse<Response>().setHeader('etag', `"${etag}"`);
        return answer;
      }),
    );
  }
}

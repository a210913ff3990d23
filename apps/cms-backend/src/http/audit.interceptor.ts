import { DetectorCluster, redactText } from '@detector-cluster/detector-cluster';
import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Response } from 'express';
import { tap, type Observable } from 'rxjs';
import { operationIdOf } from '../openapi/described-route.js';
import type { IdentifiedRequest } from './api-key.guard.js';
import { isSafe } from './require-same-origin.middleware.js';

const LONGEST_TARGET = 512;

/** Records who has changed something, by the name of the key: in the log, and in the history of the cluster. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  constructor(private readonly modules: ModuleRef) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<IdentifiedRequest>();
    const { caller, method, originalUrl } = request;
    if (isSafe(method) || caller === undefined) return next.handle();
    const log = (outcome: string) => this.logger.log(`${caller.name}: ${method} ${originalUrl}: ${outcome}`);
    const action = operationIdOf(context.getClass(), context.getHandler().name);
    return next.handle().pipe(
      tap({
        complete: () => {
          log(String(http.getResponse<Response>().statusCode));
          this.record({ by: caller.name, action, target: targetOf(request) });
        },
        error: (error: Error) => log(`failed: ${error.name}`),
      }),
    );
  }

  /** Does not hold up the answer: after a resignation it takes until there is another master. */
  private record(action: Parameters<DetectorCluster['recordAction']>[0]): void {
    this.modules
      .get(DetectorCluster, { strict: false })
      .recordAction(action)
      .catch((error: Error) => this.logger.warn(`${action.action} is not in the history: ${error.message}`));
  }
}

/** What a request names in its path, or else in its body. */
function targetOf({ body, params }: IdentifiedRequest): string | null {
  const { url, cameraIdentifier, displayId, name } = (body ?? {}) as Record<string, unknown>;
  const [target] = [...Object.values(params), url, cameraIdentifier, displayId, name].filter(
    (value) => typeof value === 'string',
  );
  return target === undefined ? null : redactText(target).slice(0, LONGEST_TARGET);
}

import { DetectorCluster } from '@detector-cluster/detector-cluster';
import { redactText } from '@detector-cluster/detector-cluster/redact';
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
import { isSafe } from './request-checks.js';

const MAX_TARGET_LENGTH = 512;

/** Records each change with the name of the key, in the log and in the history of the cluster. */
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
    let changed = true;
    return next.handle().pipe(
      tap({
        next: (answer: unknown) => (changed = !isDryRun(answer)),
        complete: () => {
          log(String(http.getResponse<Response>().statusCode));
          if (changed) this.record({ by: caller.name, action, target: targetOf(request) });
        },
        error: (error: Error) => log(`failed: ${error.name}`),
      }),
    );
  }

  /** Does not delay the answer: after a resignation it takes until another process is master. */
  private record(action: Parameters<DetectorCluster['recordAction']>[0]): void {
    this.modules
      .get(DetectorCluster, { strict: false })
      .recordAction(action)
      .catch((error: Error) => this.logger.warn(`${action.action} is not in the history: ${error.message}`));
  }
}

/** Read from the answer and not from the query, because a handler may ignore a query that it does not know. */
function isDryRun(answer: unknown): boolean {
  return (answer as { readonly dryRun?: unknown } | null | undefined)?.dryRun === true;
}

/** The entries that a request names in its path, or else in its body. */
function targetOf({ body, params }: IdentifiedRequest): string | null {
  const { items = [body ?? {}] } = (body ?? {}) as { readonly items?: readonly unknown[] };
  const named = items.flatMap((item) => nameOf(item as Record<string, unknown>) ?? []);
  const target = Object.values(params).find((value) => typeof value === 'string') ?? listOf(named);
  return target === '' ? null : redactText(target).slice(0, MAX_TARGET_LENGTH);
}

/** The first names, none of them cut, and how many more there are. */
function listOf(names: readonly string[]): string {
  const shown: string[] = [];
  let left = MAX_TARGET_LENGTH - ' and 1000000 more'.length;
  for (const name of names) {
    left -= `${name}, `.length;
    if (left < 0) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/** A display has the identifier of its camera, too. */
function nameOf({ displayId, cameraIdentifier, name, id }: Record<string, unknown>): string | undefined {
  return [displayId, cameraIdentifier, name, id]
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)[0];
}

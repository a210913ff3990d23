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
import { lastValueFrom, of, type Observable } from 'rxjs';
import type { IdentifiedRequest } from './api-key.guard.js';
import { AuditTrail, observed } from './audit-trail.js';

const MAX_TARGET_LENGTH = 512;

/** Records each action of an operator in the audit trail, and each change in the history of the cluster, too. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Audit');

  constructor(
    private readonly trail: AuditTrail,
    private readonly modules: ModuleRef,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<IdentifiedRequest>();
    const { action, caller } = request;
    if (action === undefined || caller === undefined) return next.handle();
    const { answer, ...change } = await observed(() =>
      lastValueFrom(next.handle() as Observable<object | undefined>, { defaultValue: undefined }),
    );
    const response = http.getResponse<Response>();
    if (isDryRun(answer) || response.getHeader('idempotency-replayed') !== undefined) return of(answer);
    await this.trail.add(request, { status: response.statusCode, ...change });
    const target = listOf(action.targets);
    this.record({
      by: caller.name,
      action: action.name,
      target: target === '' ? null : redactText(target).slice(0, MAX_TARGET_LENGTH),
    });
    return of(answer);
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

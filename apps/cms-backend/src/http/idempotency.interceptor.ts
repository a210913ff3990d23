import {
  Injectable,
  Logger,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { catchError, mergeMap, of, type Observable } from 'rxjs';
import type { IdentifiedRequest } from './api-key.guard.js';
import { problems } from './problems.js';
import { isSafe } from './request-checks.js';
import { IdempotencyStore, type KeyedRequest } from './idempotency-store.js';

/** Headers of an answer that a repetition gets, too. */
const KEPT_HEADERS = ['location', 'etag'];

/** Printable ASCII, so that it passes through every proxy. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Carries out a request with an `Idempotency-Key` once: a repetition gets the first answer. A request that fails frees its key,
 * so that it can be repeated.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(private readonly store: IdempotencyStore) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    if (context.getType() !== 'http') return next.handle();
    const http = context.switchToHttp();
    const request = http.getRequest<IdentifiedRequest>();
    const key = request.header('idempotency-key');
    if (key === undefined || isSafe(request.method)) return next.handle();
    if (!KEY.test(key))
      throw problems.validation([
        {
          parameter: 'idempotency-key',
          detail: 'must be 1 to 255 printable ASCII characters, such as a UUID',
        },
      ]);
    const { method, originalUrl: url, body } = request;
    const keyed: KeyedRequest = { caller: request.caller?.name ?? '', key, method, url, body };
    const response = http.getResponse<Response>();
    const known = await this.store.begin(keyed);
    if (known.state === 'running') throw problems.idempotencyKey('in-progress');
    if (known.state === 'other') throw problems.idempotencyKey('reused');
    if (known.state === 'done') {
      const { status, headers, body: answer } = known.answer;
      response.status(status).set(headers).set('idempotency-replayed', 'true');
      return of(answer);
    }
    return next.handle().pipe(
      mergeMap(async (answer) => {
        await this.keep(keyed, response, answer);
        return answer;
      }),
      catchError((error: unknown) => this.free(keyed, error)),
    );
  }

  private async free(keyed: KeyedRequest, error: unknown): Promise<never> {
    try {
      await this.store.release(keyed);
    } catch (unreleased) {
      this.logger.warn(`a key stays taken for a minute: ${(unreleased as Error).message}`);
    }
    throw error;
  }

  /** The change has been made, so a failure here must not hide that. */
  private async keep(keyed: KeyedRequest, response: Response, body: unknown) {
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => {
        const value = response.getHeader(name);
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    try {
      await this.store.finish(keyed, {
        status: response.statusCode,
        headers,
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      this.logger.warn(`an answer is not kept for repetitions: ${(error as Error).message}`);
    }
  }
}

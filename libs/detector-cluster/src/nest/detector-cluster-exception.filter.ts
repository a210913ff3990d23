import { type ArgumentsHost, Catch, HttpException } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { clusterHttpError, type ClusterHttpError } from './cluster-http-error.js';

/**
 * Answers errors of the cluster, the election and Redis with the status that they mean: 400, 404, 409 or 503, with `Retry-After`. Other
 * errors are answered as Nest does. Provide it once: `{ provide: APP_FILTER, useClass: DetectorClusterExceptionFilter }`.
 */
@Catch()
export class DetectorClusterExceptionFilter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    // Other transports have filters of their own.
    if (host.getType() !== 'http') throw error;
    const known = error instanceof HttpException ? null : clusterHttpError(error);
    if (known?.status === 503) {
      const adapter = this.applicationRef ?? this.httpAdapterHost?.httpAdapter;
      adapter?.setHeader(host.switchToHttp().getResponse(), 'Retry-After', '2');
    }
    // eslint-disable-next-line promise/valid-params, promise/no-promise-in-callback -- this is no promise
    super.catch(known === null ? error : exceptionOf(known, error), host);
  }
}

function exceptionOf({ status, code, detail }: ClusterHttpError, cause: unknown): HttpException {
  return new HttpException({ statusCode: status, code, message: detail }, status, { cause });
}

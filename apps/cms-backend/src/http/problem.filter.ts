import { STATUS_CODES } from 'node:http';
import { clusterHttpError, InvalidInputError } from '@detector-cluster/detector-cluster';
import { NotMasterException } from '@detector-cluster/master-election';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { databaseProblem } from '../stores/database-error.js';
import type { IdentifiedRequest } from './api-key.guard.js';
import { AuditTrail } from './audit-trail.js';
import { type Problem, PROBLEM_CONTENT_TYPE } from './problem.js';
import { ProblemException, problems } from './problems.js';

/** The answer to an error of the detector cluster, the election or Redis; null for any other error. */
function clusterProblem(error: unknown): ProblemException | null {
  if (error instanceof NotMasterException) {
    // Its message is only its name.
    const { detail } = error.getResponse() as { detail: string };
    return problems.unavailable({ service: 'cluster', detail, code: error.code }, error);
  }
  const known = clusterHttpError(error);
  if (known === null) return null;
  const { status, code, detail } = known;
  if (status === 400)
    return problems.validation([
      { ...(error instanceof InvalidInputError && { parameter: error.field }), detail },
    ]);
  if (status === 404) return problems.notFound(detail);
  if (status === 409) return problems.superseded(detail, code);
  return code === 'REDIS_UNAVAILABLE'
    ? problems.unavailable({ service: 'redis', detail }, error)
    : problems.unavailable({ service: 'cluster', detail, code }, error);
}

/** Answers every error as problem details. Logs an unexpected error in full and answers without any detail. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly trail: AuditTrail) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<IdentifiedRequest>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const exception = this.toProblem(error, request);
    const body: Problem = { ...exception.problem, instance: request.path };
    await this.trail.refused(request, body);
    response
      .status(exception.problem.status)
      .set(exception.headers)
      .type(PROBLEM_CONTENT_TYPE)
      .send(JSON.stringify(body));
  }

  private toProblem(error: unknown, request: Request): ProblemException {
    if (error instanceof ProblemException) return error;
    const known = databaseProblem(error) ?? clusterProblem(error);
    if (known !== null) return known;
    if (error instanceof HttpException && error.getStatus() < 500) return fromHttpException(error);
    this.logger.error(
      `${request.method} ${request.path} failed`,
      error instanceof Error ? error.stack : error,
    );
    return new ProblemException('internal', {
      title: 'Internal server error',
      status: 500,
      detail: 'the request failed; see the log of the service',
    });
  }
}

function fromHttpException(error: HttpException): ProblemException {
  const status = error.getStatus();
  const title = STATUS_CODES[status] ?? 'Error';
  const kind = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return new ProblemException(kind, { title, status, detail: error.message });
}

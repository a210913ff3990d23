import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import { clusterProblem } from '../../cluster/cluster-problem.js';
import { databaseProblem } from '../../database/database-problem.js';
import { redisProblem } from '../../redis/redis-problem.js';
import { ProblemException } from './problem.exception.js';
import { PROBLEM_CONTENT_TYPE, type Problem } from './problem.js';

/** Answers every error as problem details. What is not foreseen is logged in full and answered without any detail. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const exception = this.toProblem(error, request);
    const body: Problem = { ...exception.problem, instance: request.path };
    response
      .status(exception.problem.status)
      .set(exception.headers)
      .type(PROBLEM_CONTENT_TYPE)
      .send(JSON.stringify(body));
  }

  private toProblem(error: unknown, request: Request): ProblemException {
    if (error instanceof ProblemException) return error;
    const known = databaseProblem(error) ?? redisProblem(error) ?? clusterProblem(error);
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

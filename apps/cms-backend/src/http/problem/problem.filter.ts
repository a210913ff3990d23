import { STATUS_CODES } from 'node:http';
import {
  CameraImageError,
  CameraNotHostedError,
  InvalidInputError,
  MasterChangedError,
  MasterRequestError,
  NoMasterError,
  SubscriptionNotDesiredError,
  UnknownWorkerError,
} from '@detector-cluster/detector-cluster';
import { NotMasterException } from '@detector-cluster/master-election';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { databaseProblem } from '../../database/database-error.js';
import { redisProblem } from '../../redis/redis-problem.js';
import { type Problem, PROBLEM_CONTENT_TYPE } from './problem.js';
import { ProblemException, problems } from './problems.js';

/** The answer to an error of the detector cluster or of the election; null for any other error. */
function clusterProblem(error: unknown): ProblemException | null {
  if (error instanceof InvalidInputError)
    return problems.validation([{ parameter: error.field, detail: error.message }]);
  if (
    error instanceof CameraNotHostedError ||
    error instanceof UnknownWorkerError ||
    error instanceof SubscriptionNotDesiredError
  )
    return problems.notFound(error.message);
  if (error instanceof MasterChangedError) return problems.superseded(error.message, error.code);
  if (error instanceof CameraImageError)
    return error.problem === 'no-frame' ? problems.notFound(error.message) : unavailable(error);
  if (error instanceof NoMasterError) return unavailable(error);
  // Its message is only its name.
  if (error instanceof NotMasterException)
    return unavailable(error, (error.getResponse() as { detail: string }).detail);
  if (error instanceof MasterRequestError && error.problem !== 'too-large')
    // The error belongs in the log only, because it may contain internal details.
    return error.problem === 'failed'
      ? unavailable(error, `${error.call}: the master has failed; its log says how`)
      : unavailable(error);
  return null;
}

function unavailable(error: Error & { readonly code: string }, detail = error.message): ProblemException {
  return problems.unavailable({ service: 'cluster', detail, code: error.code }, error);
}

/** Answers every error as problem details. Logs an unexpected error in full and answers without any detail. */
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

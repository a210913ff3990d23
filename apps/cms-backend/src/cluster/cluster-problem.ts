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
import type { ProblemException } from '../http/problem/problem.exception.js';
import { problems } from '../http/problem/problems.js';

/** What an error of the detector cluster or of the election is answered with; null for any other error. */
export function clusterProblem(error: unknown): ProblemException | null {
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
  // Its message is but its name.
  if (error instanceof NotMasterException)
    return unavailable(error, (error.getResponse() as { detail: string }).detail);
  if (error instanceof MasterRequestError && error.problem !== 'too-large')
    // What it failed with is for its log: it may name what is no business of clients.
    return error.problem === 'failed'
      ? unavailable(error, `${error.call}: the master has failed; its log says how`)
      : unavailable(error);
  return null;
}

function unavailable(error: Error & { readonly code: string }, detail = error.message): ProblemException {
  return problems.unavailable({ service: 'cluster', detail, code: error.code }, error);
}

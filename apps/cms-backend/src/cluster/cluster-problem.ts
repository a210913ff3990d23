import {
  CameraImageError,
  CameraNotHostedError,
  InvalidInputError,
  NoMasterError,
} from '@detector-cluster/detector-cluster';
import type { ProblemException } from '../http/problem/problem.exception.js';
import { problems } from '../http/problem/problems.js';

/** What an error of the detector cluster is answered with; null for any other error. */
export function clusterProblem(error: unknown): ProblemException | null {
  if (error instanceof InvalidInputError)
    return problems.validation([{ parameter: error.field, detail: error.message }]);
  if (error instanceof CameraNotHostedError) return problems.notFound(error.message);
  if (error instanceof CameraImageError)
    return error.problem === 'no-frame'
      ? problems.notFound(error.message)
      : problems.unavailable({ service: 'cluster', detail: error.message }, error);
  if (error instanceof NoMasterError)
    return problems.unavailable({ service: 'cluster', detail: error.message }, error);
  return null;
}

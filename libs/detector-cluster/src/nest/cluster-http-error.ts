import { describeUnavailable, isRedisUnavailable } from '@detector-cluster/election/internal/redis';
import {
  ElectionStoppedError,
  ElectionTimeoutError,
  UnknownProcessError,
} from '@detector-cluster/master-election';
import { SubscriptionNotDesiredError } from '../operators/plan-report.js';
import { MasterChangedError } from '../operators/resigner.js';
import { UnknownWorkerError } from '../operators/find-worker.js';
import { CameraImageError, CameraNotHostedError } from '../operators/camera-image.error.js';
import { MasterRequestError, NoMasterError } from '../shared/master-errors.js';
import { InvalidInputError } from '@detector-cluster/placement/internal';

/** What an HTTP API answers to an error of the cluster, the election or Redis. */
export interface ClusterHttpError {
  readonly status: 400 | 404 | 409 | 503;
  /** Stable name of the error. */
  readonly code: string;
  /** For the caller: without internal details. */
  readonly detail: string;
}

type Coded = Error & { readonly code: string };

const answer = (status: ClusterHttpError['status'], error: Coded, detail = error.message) => ({
  status,
  code: error.code,
  detail,
});

/** Null for an error that is none of the cluster, or that no caller can do anything about: 500. */
export function clusterHttpError(error: unknown): ClusterHttpError | null {
  if (error instanceof InvalidInputError) return answer(400, error);
  if (
    error instanceof CameraNotHostedError ||
    error instanceof UnknownWorkerError ||
    error instanceof UnknownProcessError ||
    error instanceof SubscriptionNotDesiredError
  )
    return answer(404, error);
  if (error instanceof MasterChangedError) return answer(409, error);
  if (error instanceof CameraImageError) return answer(error.problem === 'no-frame' ? 404 : 503, error);
  if (
    error instanceof NoMasterError ||
    error instanceof ElectionTimeoutError ||
    error instanceof ElectionStoppedError
  )
    return answer(503, error);
  if (error instanceof MasterRequestError && error.problem !== 'too-large')
    // The error belongs in the log only, because it may contain internal details.
    return error.problem === 'failed'
      ? answer(503, error, `${error.call}: the master has failed; its log says how`)
      : answer(503, error);
  if (isRedisUnavailable(error))
    return { status: 503, code: 'REDIS_UNAVAILABLE', detail: describeUnavailable(error) };
  return null;
}

import { InvalidInputError, parseSubscription } from '../../model/subscription-identifier.js';
import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import type { NetworkPolicy } from '../../networks/network-policy.js';
import {
  httpUrlProblem,
  intervalProblem,
  modelIdProblem,
  modelNameProblem,
  type Problem,
  readCrop,
  streamUrlProblem,
} from '../stream/stream-fields.js';

/** The arguments of `subscribeToCamera` that describe the stream. For optional ones null means absent. */
export interface SubscribeInput {
  /** `<displayId>;<cameraId>` */
  subscriptionIdentifier: string;
  /** rtsp, rtsps, http or https. */
  rtspUrl: string;
  /** http or https. */
  modelUrl: string;
  modelId: number;
  modelName: string;
  snapshotUrl?: string | null;
  /** Milliseconds. */
  snapshotInterval?: number | null;
  cropX1?: number | null;
  cropY1?: number | null;
  cropX2?: number | null;
  cropY2?: number | null;
}

function check(field: keyof SubscribeInput, problem: Problem): void {
  if (problem !== null) throw new InvalidInputError(field, problem);
}

/**
 * Builds the requested subscription; `now` becomes its creation time. Throws `InvalidInputError` with the name of the first
 * unusable field.
 */
export function explicitSubscription(
  input: SubscribeInput,
  now: Date,
  networks: NetworkPolicy,
): DesiredCameraSubscription {
  parseSubscription(input.subscriptionIdentifier);
  check('rtspUrl', streamUrlProblem(input.rtspUrl) ?? networks.problemOf(input.rtspUrl));
  check('modelUrl', httpUrlProblem(input.modelUrl));
  check('modelId', modelIdProblem(input.modelId));
  check('modelName', modelNameProblem(input.modelName));
  const snapshotUrl = input.snapshotUrl ?? undefined;
  const snapshotInterval = input.snapshotInterval ?? undefined;
  if (snapshotUrl !== undefined)
    check('snapshotUrl', httpUrlProblem(snapshotUrl) ?? networks.problemOf(snapshotUrl));
  if (snapshotInterval !== undefined) check('snapshotInterval', intervalProblem(snapshotInterval));
  const reading = readCrop({ ...input });
  if ('problem' in reading) throw new InvalidInputError(reading.field, reading.problem);
  return {
    subscriptionIdentifier: input.subscriptionIdentifier,
    rtspUrl: input.rtspUrl,
    modelId: input.modelId,
    modelName: input.modelName,
    createdAt: now.toISOString(),
    ...(snapshotUrl !== undefined && { snapshotUrl }),
    ...(snapshotInterval !== undefined && { snapshotInterval }),
    ...reading.crop,
    modelUrl: input.modelUrl,
  };
}

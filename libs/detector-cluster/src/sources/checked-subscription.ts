import {
  InvalidInputError,
  parseSubscription,
  type DesiredCameraSubscription,
  type SkippedDisplay,
  type SkipReason,
} from '@detector-cluster/placement/internal';
import type { ModelReference } from './model-url-provider.js';
import {
  httpUrlProblem,
  intervalProblem,
  modelIdProblem,
  modelNameProblem,
  modelVersionProblem,
  readCrop,
  streamUrlProblem,
} from './stream-fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether an entry of a source is an object. */
export const isEntry = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whether the provider of model URLs says which file the model of an entry has. */
export const leavesFileToProvider = (entry: object): entry is ModelReference => {
  const { modelId, modelName, modelUrl } = entry as Fields;
  return typeof modelId === 'number' && typeof modelName === 'string' && !isGiven(modelUrl);
};

/**
 * Checks an entry of a source, possibly the application's own: returns it with only the known fields, or the reason why it
 * is skipped. Never throws.
 */
export function checkedSubscription(entry: Fields): DesiredCameraSubscription | SkippedDisplay {
  const { subscriptionIdentifier, rtspUrl, snapshotUrl, snapshotInterval } = entry;
  const { modelId, modelName, modelUrl, modelVersion } = entry;
  let displayId = '';
  const skip = (reason: SkipReason, detail: string): SkippedDisplay => ({ displayId, reason, detail });
  try {
    ({ displayId } = parseSubscription(subscriptionIdentifier));
  } catch (error) {
    const { field, message } = error as InvalidInputError;
    return skip(field.endsWith('(cameraId)') ? 'invalid-camera-id' : 'invalid-display-id', message);
  }
  const problems: [SkipReason, string, string | null][] = [
    ['invalid-rtsp-url', 'rtspUrl', streamUrlProblem(rtspUrl)],
    ['invalid-snapshot', 'snapshotUrl', isGiven(snapshotUrl) ? httpUrlProblem(snapshotUrl) : null],
    [
      'invalid-snapshot',
      'snapshotInterval',
      isGiven(snapshotInterval) ? intervalProblem(snapshotInterval) : null,
    ],
    ['invalid-model', 'modelId', modelIdProblem(modelId)],
    ['invalid-model', 'modelName', modelNameProblem(modelName)],
    ['invalid-model', 'modelUrl', isGiven(modelUrl) ? httpUrlProblem(modelUrl) : null],
    ['invalid-model', 'modelVersion', isGiven(modelVersion) ? modelVersionProblem(modelVersion) : null],
  ];
  for (const [reason, field, problem] of problems)
    if (problem !== null) return skip(reason, `${field}: ${problem}`);
  const reading = readCrop(entry);
  if ('problem' in reading) return skip('invalid-crop', `${reading.field}: ${reading.problem}`);
  const { createdAt } = entry;
  return {
    subscriptionIdentifier: subscriptionIdentifier as string,
    rtspUrl: rtspUrl as string,
    modelId: modelId as number,
    modelName: modelName as string,
    createdAt: typeof createdAt === 'string' ? createdAt : new Date(0).toISOString(),
    ...(isGiven(snapshotUrl) && { snapshotUrl: snapshotUrl as string }),
    ...(isGiven(snapshotInterval) && { snapshotInterval: snapshotInterval as number }),
    ...(isGiven(modelUrl) && { modelUrl: modelUrl as string }),
    ...(isGiven(modelVersion) && { modelVersion: modelVersion as string }),
    ...reading.crop,
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

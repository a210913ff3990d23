import {
  InvalidInputError,
  parseSubscription,
  type DesiredCameraSubscription,
  type SkippedDisplay,
  type SkipReason,
} from '@detector-cluster/placement/internal';
import type { ModelReference } from './model-url-provider.js';
import { readStream, reasonOf } from './stream-fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whether an entry of a source is an object. */
export const isEntry = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whether the provider of model URLs says which file the model of an entry has. */
export const leavesFileToProvider = (entry: object): entry is ModelReference => {
  const { modelId, modelName, modelUrl } = entry as Fields;
  return (
    typeof modelId === 'number' &&
    typeof modelName === 'string' &&
    (modelUrl === undefined || modelUrl === null)
  );
};

/**
 * Checks an entry of a source, possibly the application's own: returns it with only the known fields, or the reason why it
 * is skipped. Never throws.
 */
export function checkedSubscription(entry: Fields): DesiredCameraSubscription | SkippedDisplay {
  const { createdAt, subscriptionIdentifier } = entry;
  let displayId = '';
  const skip = (reason: SkipReason, detail: string): SkippedDisplay => ({ displayId, reason, detail });
  try {
    ({ displayId } = parseSubscription(subscriptionIdentifier));
  } catch (error) {
    const { field, message } = error as InvalidInputError;
    return skip(field.endsWith('(cameraId)') ? 'invalid-camera-id' : 'invalid-display-id', message);
  }
  const reading = readStream(entry);
  if ('problem' in reading) return skip(reasonOf(reading.field), `${reading.field}: ${reading.problem}`);
  return {
    subscriptionIdentifier: subscriptionIdentifier as string,
    createdAt: typeof createdAt === 'string' ? createdAt : new Date(0).toISOString(),
    ...reading.stream,
  };
}

import { createHash, createHmac } from 'node:crypto';
import type { DesiredCameraSubscription } from './subscriptions.js';

/**
 * Identity of a stream: when it changes, the worker needs a new command. Covers everything except the creation time and the
 * model URL, which is new in each command. 32 hexadecimal digits.
 * @param key protects the hashed passwords from brute force
 */
export function specHash(subscription: DesiredCameraSubscription, key?: Buffer): string {
  const s = subscription;
  const spec = [
    s.subscriptionIdentifier,
    s.rtspUrl,
    s.modelId,
    s.modelName,
    s.snapshotUrl ?? null,
    s.snapshotInterval ?? null,
    s.cropX1 ?? null,
    s.cropY1 ?? null,
    s.cropX2 ?? null,
    s.cropY2 ?? null,
    // Nothing without a version: a stream that ran before versions were known is still the desired one.
    ...(s.modelVersion === undefined ? [] : [s.modelVersion]),
  ];
  const hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  return hash.update(JSON.stringify(spec)).digest('hex').slice(0, 32);
}

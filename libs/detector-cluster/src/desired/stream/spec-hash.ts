import { createHash, createHmac } from 'node:crypto';
import type { DesiredCameraSubscription } from '../../model/subscriptions.js';

/**
 * Identity of a stream: equal as long as a worker need not be told anew. Everything counts but the model's URL, which is
 * made afresh for each send, and the creation time. 32 hexadecimal digits.
 * @param key makes the hash useless to whoever would find the password behind it by trying
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
  ];
  const hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  return hash.update(JSON.stringify(spec)).digest('hex').slice(0, 32);
}

import type { SubscribeCommand } from '@detector-cluster/worker-protocol';
import type { DesiredCameraSubscription } from '../model/subscriptions.js';

/**
 * The command that makes a worker open this stream; optional fields are left out, not null.
 * @param fingerprint hash of the subscription, which workers may repeat in their reports
 */
export function subscribeCommand(
  subscription: DesiredCameraSubscription,
  modelUrl: string,
  fingerprint: string,
): SubscribeCommand {
  const { createdAt: _createdAt, modelUrl: _modelUrl, ...stream } = subscription;
  return { type: 'subscribe', payload: { ...stream, modelUrl, fingerprint } };
}

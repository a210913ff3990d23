import type { DesiredCameraSubscription } from '../../model/subscriptions.js';
import type { ModelUrlProvider } from './model-url-provider.js';
import { redactUrl } from '../../redact/redact-url.js';

/** A signed URL is not sent when it is older. Milliseconds. */
const MAX_AGE = 60_000;

/**
 * The URL to send with a subscription, made now. One that the caller of `subscribeToCamera` gave is taken as it is, unless
 * it is signed and has been for a minute: then the provider is asked first, and the old one is better than none.
 * @param wallNow wall clock, milliseconds
 */
export async function freshModelUrl(
  subscription: DesiredCameraSubscription,
  provider: ModelUrlProvider,
  wallNow: number,
): Promise<string> {
  const { modelUrl: given, createdAt } = subscription;
  if (given === undefined) return provider.urlFor(subscription);
  const signed = redactUrl(given) !== given;
  if (!signed || wallNow - Date.parse(createdAt) <= MAX_AGE) return given;
  return provider.urlFor(subscription).catch(() => given);
}

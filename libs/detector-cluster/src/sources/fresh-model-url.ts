import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import type { ModelUrlProvider } from './model-url-provider.js';
import { redactUrl } from '../shared/redact-url.js';

/** Maximum age of a signed URL that is sent. Milliseconds. */
const MAX_AGE = 60_000;

/**
 * The URL to send with a subscription. A URL given to `subscribeToCamera` is used unchanged, unless it was signed more than a
 * minute ago: then the provider makes a new one, and the old one is the fallback.
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

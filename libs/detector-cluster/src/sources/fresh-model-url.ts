import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { redactUrl } from '../shared/redact-url.js';
import type { ModelFile, ModelReference } from './model-url-provider.js';

/** Maximum age of a signed URL that is sent. Milliseconds. */
const MAX_AGE = 60_000;

/** The files of models, by the version that is wanted of each. */
export interface WantedFiles {
  /** The URL of the file that a subscription names. Null: it is to run another one by now. */
  urlFor(subscription: DesiredCameraSubscription): Promise<string | null>;
  fileOf(model: ModelReference): Promise<ModelFile>;
}

/**
 * The URL to send with a subscription; null if the file that it names is no longer the file of its model. A URL given to
 * `subscribeToCamera` is used unchanged, unless it was signed more than a minute ago: then the provider makes a new one, and the old one is
 * the fallback.
 * @param wallNow wall clock, milliseconds
 */
export async function freshModelUrl(
  subscription: DesiredCameraSubscription,
  files: WantedFiles,
  wallNow: number,
): Promise<string | null> {
  const { modelUrl: given, modelVersion, createdAt } = subscription;
  if (given === undefined) return files.urlFor(subscription);
  const signed = redactUrl(given) !== given;
  if (!signed || wallNow - Date.parse(createdAt) <= MAX_AGE) return given;
  try {
    const { url, version } = await files.fileOf(subscription);
    const isOther = version !== undefined && modelVersion !== undefined && version !== modelVersion;
    return isOther ? given : url;
  } catch {
    return given;
  }
}

import type { DesiredCameraSubscription } from '@detector-cluster/placement/internal';
import { redactUrl } from '../shared/redact-url.js';
import type { ModelFile, ModelReference } from './model-url-provider.js';

/** Maximum age of a signed URL that is sent. Milliseconds. */
const MAX_AGE = 60_000;

/** The files of models, by the version that is wanted of each. */
export interface WantedFiles {
  /** The file that a subscription names. Null: it is to run another one by now. */
  wantedFile(subscription: DesiredCameraSubscription): Promise<ModelFile | null>;
  fileOf(model: ModelReference): Promise<ModelFile>;
}

/**
 * The file to send with a subscription; null if the file that it names is no longer the file of its model. A URL given to
 * `subscribeToCamera` is used unchanged, unless it was signed more than a minute ago: then the provider makes a new one, and the old one is
 * the fallback.
 * @param wallNow wall clock, milliseconds
 */
export async function freshModelFile(
  subscription: DesiredCameraSubscription,
  files: WantedFiles,
  wallNow: number,
): Promise<ModelFile | null> {
  const { modelUrl: given, modelVersion, createdAt } = subscription;
  if (given === undefined) return files.wantedFile(subscription);
  const unchanged = { url: given };
  const signed = redactUrl(given) !== given;
  if (!signed || wallNow - Date.parse(createdAt) <= MAX_AGE) return unchanged;
  try {
    const file = await files.fileOf(subscription);
    const { version } = file;
    const isOther = version !== undefined && modelVersion !== undefined && version !== modelVersion;
    return isOther ? unchanged : file;
  } catch {
    return unchanged;
  }
}

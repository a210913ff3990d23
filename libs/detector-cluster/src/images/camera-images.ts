import type { WorkerDefinition } from '../options/worker-definition.js';
import type { ClusterView } from '../state/cluster-view.js';
import { cameraHosts } from './camera-hosts.js';
import { CameraImageError } from './camera-image.error.js';
import { CameraNotHostedError } from './camera-not-hosted.error.js';
import { fetchImage } from './fetch-image.js';

/** One attempt. Milliseconds. */
const TIMEOUT = 5_000;

/** Bytes. */
const MAX_SIZE = 10 * 1024 * 1024;

/** Workers that are asked in turn; more than two have a camera only while it moves on. */
const ATTEMPTS = 2;

/** Names the picture of a detection. Workers may keep such pictures for a while. */
export interface DetectionMoment {
  /** `data.detection.pictureId` of the detection. */
  readonly pictureId: string;
  /** The worker that made the detection, without credentials. */
  readonly workerUrl: string;
}

/** Images of cameras from the workers that run them, fetched by any process. */
export class CameraImages {
  constructor(
    private readonly view: Pick<ClusterView, 'workers' | 'holderOf'>,
    private readonly workers: () => readonly WorkerDefinition[],
    private readonly limits = { timeout: TIMEOUT, maxSize: MAX_SIZE },
  ) {}

  /** @param moment of a detection; left out: the last frame */
  async get(identifier: string, moment?: DetectionMoment): Promise<Buffer> {
    const [workers, holder] = await Promise.all([this.view.workers(), this.view.holderOf(identifier)]);
    const definitions = new Map(this.workers().map((definition) => [definition.id, definition]));
    let failure: Error = new CameraNotHostedError(identifier);
    const hosts = cameraHosts(identifier, workers, holder).filter(
      ({ workerUrl }) =>
        definitions.has(workerUrl) && (moment === undefined || moment.workerUrl === workerUrl),
    );
    for (const { workerUrl, subscriptionIdentifier } of hosts.slice(0, ATTEMPTS)) {
      const { url, credentials, lookup } = definitions.get(workerUrl)!;
      const connection = { lookup, ...credentials?.request() };
      try {
        return await fetchImage({
          subscriptionIdentifier,
          workerUrl,
          url,
          connection,
          ...(moment !== undefined && { picture: moment.pictureId }),
          ...this.limits,
        });
      } catch (error) {
        if (!(error instanceof CameraImageError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

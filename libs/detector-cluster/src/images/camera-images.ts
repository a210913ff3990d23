import type { WorkerConnectionState } from '../model/cluster-state.js';
import type { WorkerDefinition } from '../options/worker-definition.js';
import type { ClusterView } from '../state/cluster-view.js';
import { CameraImageError, CameraNotHostedError } from './camera-image.error.js';
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

interface CameraHost {
  readonly workerUrl: string;
  readonly subscriptionIdentifier: string;
}

/**
 * Which workers can show a subscription (`<displayId>;<cameraId>`) or a camera, the best first: those that are online, and
 * of these the one that holds the subscription before one that it is moving to.
 */
export function cameraHosts(
  identifier: string,
  workers: readonly Pick<WorkerConnectionState, 'url' | 'online' | 'subscriptions'>[],
  holder: string | null,
): CameraHost[] {
  const matches = identifier.includes(';')
    ? (id: string) => id === identifier
    : (id: string) => id.endsWith(`;${identifier}`);
  const hosts = workers.flatMap(({ url, online, subscriptions }) => {
    const subscriptionIdentifier = online ? subscriptions.find(matches) : undefined;
    return subscriptionIdentifier === undefined ? [] : [{ workerUrl: url, subscriptionIdentifier }];
  });
  return hosts.sort((a, b) => Number(b.workerUrl === holder) - Number(a.workerUrl === holder));
}

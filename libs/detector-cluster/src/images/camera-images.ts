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

/** Images of cameras from the workers that run them, fetched by any process. */
export class CameraImages {
  constructor(
    private readonly view: Pick<ClusterView, 'workers' | 'holderOf'>,
    private readonly workers: () => readonly WorkerDefinition[],
    private readonly limits = { timeout: TIMEOUT, maxSize: MAX_SIZE },
  ) {}

  async get(identifier: string): Promise<Buffer> {
    const [workers, holder] = await Promise.all([this.view.workers(), this.view.holderOf(identifier)]);
    const definitions = new Map(this.workers().map((definition) => [definition.id, definition]));
    let failure: Error = new CameraNotHostedError(identifier);
    const hosts = cameraHosts(identifier, workers, holder).filter(({ workerUrl }) =>
      definitions.has(workerUrl),
    );
    for (const { workerUrl, subscriptionIdentifier } of hosts.slice(0, ATTEMPTS)) {
      const { url, credentials, lookup } = definitions.get(workerUrl)!;
      const connection = { lookup, ...credentials?.request() };
      try {
        return await fetchImage({ subscriptionIdentifier, workerUrl, url, connection, ...this.limits });
      } catch (error) {
        if (!(error instanceof CameraImageError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

import type { WorkerConnectionState } from '../shared/cluster-state.js';
import type { WorkerDefinition } from '../workers/worker-definition.js';
import type { ClusterView } from './cluster-view.js';
import { CameraImageError, CameraNotHostedError, type CameraImageProblem } from './camera-image.error.js';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Of one attempt, in milliseconds and bytes. */
const LIMITS = { timeout: 5_000, maxSize: 10 * 1024 * 1024 };

/** How many workers are asked in turn. More than two have a camera only during consecutive moves. */
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
    for (const host of hosts.slice(0, ATTEMPTS)) {
      try {
        return await fetchImage(host, definitions.get(host.workerUrl)!, moment?.pictureId);
      } catch (error) {
        if (!(error instanceof CameraImageError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

interface CameraHost {
  /** Without credentials. */
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

/** The worker's address of the image, with its credentials. A path of the WebSocket URL is kept in front. */
export function imageUrl(workerUrl: string, subscriptionIdentifier: string, picture?: string): URL {
  const url = new URL(workerUrl);
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/camera/${encodeURIComponent(subscriptionIdentifier)}/image`;
  if (picture !== undefined) url.searchParams.set('picture', picture);
  return url;
}

/**
 * Reads a camera's last frame, or the picture of one of its detections, a JPEG, over HTTP. Redirects are not followed.
 * @param picture `pictureId` of the detection; left out: the last frame
 * @throws {CameraImageError}
 */
export function fetchImage(
  { workerUrl, subscriptionIdentifier }: CameraHost,
  { url, credentials, lookup }: Pick<WorkerDefinition, 'url' | 'credentials' | 'lookup'>,
  picture?: string,
  { timeout, maxSize } = LIMITS,
): Promise<Buffer> {
  const target = imageUrl(url, subscriptionIdentifier, picture);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    let request: ClientRequest | undefined;
    let timer: NodeJS.Timeout | undefined;
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      finish();
      request?.destroy();
    };
    const fail = (problem: CameraImageProblem, detail: string) =>
      settle(() => reject(new CameraImageError(subscriptionIdentifier, workerUrl, problem, detail)));
    timer = setTimeout(() => fail('timeout', `no complete answer within ${timeout} ms`), timeout);
    // A connection of its own: kept-alive ones would hold the process open.
    request = send(target, { agent: false, lookup, ...credentials?.request() }, (response) => {
      response.on('error', () => fail('unreachable', 'the connection was lost'));
      const refusal = refusalOf(response, maxSize);
      if (refusal !== null) return fail(...refusal);
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxSize) fail('too-large', `more than ${maxSize} bytes`);
        else chunks.push(chunk);
      });
      response.on('end', () => settle(() => resolve(Buffer.concat(chunks))));
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      fail('unreachable', error.code ?? 'cannot connect'),
    );
    request.end();
  });
}

function refusalOf(response: IncomingMessage, maxSize: number): [CameraImageProblem, string] | null {
  const { statusCode, headers } = response;
  if (statusCode === 404) return ['no-frame', 'it has no frame of it'];
  if (statusCode !== 200) return ['refused', `it answered with status ${statusCode}`];
  const type = headers['content-type'] ?? '';
  if (!/^image\/jpeg\b/i.test(type))
    return ['not-a-jpeg', `it answered with ${type === '' ? 'no type' : type.slice(0, 100)}`];
  return Number(headers['content-length']) > maxSize ? ['too-large', `more than ${maxSize} bytes`] : null;
}

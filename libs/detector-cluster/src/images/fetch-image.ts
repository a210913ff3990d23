import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { CameraImageError, type CameraImageProblem } from './camera-image.error.js';

export interface ImageRequest {
  readonly subscriptionIdentifier: string;
  /** Name of the worker, without credentials. */
  readonly workerUrl: string;
  /** Where it is dialled: `ws://` or `wss://`. */
  readonly url: string;
  /** The picture of a detection, by its `pictureId`; left out: the last frame. */
  readonly picture?: string;
  /** Added to the request, for authentication and TLS. */
  readonly connection?: RequestOptions;
  /** Milliseconds, for all of it. */
  readonly timeout: number;
  /** Bytes. */
  readonly maxSize: number;
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
 * @throws {CameraImageError}
 */
export function fetchImage(wanted: ImageRequest): Promise<Buffer> {
  const { subscriptionIdentifier, workerUrl, url, picture, connection, timeout, maxSize } = wanted;
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
    request = send(target, { agent: false, ...connection }, (response) => {
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

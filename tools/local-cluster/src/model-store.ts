import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const BUCKET = 'models';
const REGION = 'eu-test-1';
const ACCESS_KEY = 'model-store';

/** A store that speaks as much of S3 as workers and `S3ModelUrlProvider` need: HEAD and GET by presigned URLs that have not expired. */
export interface ModelStore {
  /** Variables with which the reference service signs URLs of this store. */
  readonly backendEnv: Readonly<Record<string, string>>;
  /** Puts an object, or replaces it. */
  put(key: string, content: Buffer): void;
  /** How often an object was downloaded. */
  downloads(key: string): number;
  stop(): Promise<void>;
}

export async function startModelStore(): Promise<ModelStore> {
  const objects = new Map<string, Buffer>();
  const downloads = new Map<string, number>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store');
    const key = decodeURIComponent(pathname).replace(`/${BUCKET}/`, '');
    const content = objects.get(key);
    if (!isSigned(searchParams)) return response.writeHead(403).end();
    if (content === undefined) return response.writeHead(404).end();
    response.writeHead(200, {
      ETag: `"${createHash('md5').update(content).digest('hex')}"`,
      'Content-Length': content.length,
    });
    if (request.method === 'HEAD') return response.end();
    downloads.set(key, (downloads.get(key) ?? 0) + 1);
    return response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    backendEnv: {
      MODEL_BASE_URL: '',
      MODEL_S3_BUCKET: BUCKET,
      MODEL_S3_REGION: REGION,
      MODEL_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      MODEL_S3_ACCESS_KEY_ID: ACCESS_KEY,
      MODEL_S3_SECRET_ACCESS_KEY: 'not-a-secret',
    },
    put: (key, content) => void objects.set(key, content),
    downloads: (key) => downloads.get(key) ?? 0,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Whether a request has all that a presigned URL has, and the URL has not expired. Tests of the provider verify signatures. */
function isSigned(query: URLSearchParams): boolean {
  const time = (query.get('X-Amz-Date') ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  const expires = Date.parse(time) + Number(query.get('X-Amz-Expires')) * 1_000;
  const credential = `${ACCESS_KEY}/`;
  return (
    /^[0-9a-f]{64}$/.test(query.get('X-Amz-Signature') ?? '') &&
    (query.get('X-Amz-Credential') ?? '').startsWith(credential) &&
    expires > Date.now()
  );
}

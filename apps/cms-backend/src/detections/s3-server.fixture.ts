import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The part of S3 that pictures need, over HTTP. */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void (async () => {
      const path = decodeURIComponent(new URL(request.url!, 'http://s3').pathname);
      const body = await buffer(request);
      const found = objects.get(path);
      if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=the-key/'))
        response.writeHead(403).end();
      else if (request.method === 'PUT') {
        objects.set(path, body);
        response.writeHead(200).end();
      } else if (request.method === 'DELETE') {
        objects.delete(path);
        response.writeHead(204).end();
      } else if (found === undefined)
        response
          .writeHead(404, { 'content-type': 'application/xml' })
          .end('<Error><Code>NoSuchKey</Code></Error>');
      else response.writeHead(200).end(found);
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    objects,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

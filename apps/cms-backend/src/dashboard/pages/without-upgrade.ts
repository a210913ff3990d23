import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that only ask for another protocol. */
const OF_UPGRADES = new Set(['upgrade', 'http2-settings', 'connection']);

/**
 * Serves a request that asks for a protocol other than WebSocket as a normal request. Some clients offer HTTP/2 with every
 * request, and a server may continue with HTTP/1.1. But as soon as a server handles upgrades, Node treats every offer as an
 * upgrade and reads no further.
 *
 * @param head what has been read of the body, or of the next request
 */
export function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    if (!OF_UPGRADES.has(rawHeaders[i]!.toLowerCase())) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

import { once } from 'node:events';
import { WebSocket } from 'ws';

/**
 * Connects to a replica without a browser, and sends a message.
 * @returns the code of the end of the connection, or the first message of the replica
 */
export async function firstAnswer(
  url: string,
  message: object,
  origin?: string,
): Promise<{ socket: WebSocket; answer: number | string }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/screens`, { ...(origin && { origin }) });
  const answer = new Promise<number | string>((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('close', resolve);
    socket.once('message', (raw: Buffer) => resolve((JSON.parse(raw.toString()) as { event: string }).event));
    socket.once('open', () => socket.send(JSON.stringify(message)));
  });
  socket.on('error', () => undefined);
  return { socket, answer: await answer };
}

export async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  socket.terminate();
  await once(socket, 'close');
}

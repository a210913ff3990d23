import { once } from 'node:events';
import { WebSocket } from 'ws';

/**
 * Connects to a replica without a browser, and sends a message.
 * @returns the HTTP status of a refusal, the code of the end of the connection, or the first message of the replica
 */
export async function firstAnswer(
  url: string,
  message: object,
  origin?: string,
): Promise<{ socket: WebSocket; answer: number | string }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/screens`, { ...(origin && { origin }) });
  const answer = new Promise<number | string>((resolve) => {
    // The message ends with the HTTP status. The socket closes afterwards.
    socket.on('error', ({ message }) => resolve(Number(/\d{3}$/.exec(message)?.[0])));
    socket.once('close', resolve);
    socket.once('message', (raw: Buffer) => resolve((JSON.parse(raw.toString()) as { event: string }).event));
    socket.once('open', () => socket.send(JSON.stringify(message)));
  });
  return { socket, answer: await answer };
}

export async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  socket.terminate();
  await once(socket, 'close');
}

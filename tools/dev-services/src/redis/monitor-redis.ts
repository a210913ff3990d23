import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Calls `onLine` with each line of MONITOR until the returned socket is destroyed. Uses its own socket, because on a busy server
 * ioredis mistakes the first lines of MONITOR for replies.
 */
export async function monitorRedis(url: string, onLine: (line: string) => void): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port || 6379), hostname);
  await once(socket, 'connect');
  const lines = createInterface({ input: socket });
  socket.write('MONITOR\r\n');
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    lines.once('line', (answer) => {
      if (answer !== '+OK') reject(new Error(`Redis does not let itself be watched: ${answer}`));
      // More lines may have arrived together with the answer.
      lines.on('line', onLine);
      resolve(socket);
    });
  });
}

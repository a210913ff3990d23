import { connect } from 'node:net';

/** Whether the server with this process id answers on the port, because another program may have taken the port first. */
export async function memcachedReady(port: number, pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.setEncoding('latin1');
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('connect', () => socket.write('stats\r\n'));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (answer.endsWith('END\r\n')) end(answer.startsWith(`STAT pid ${pid}\r\n`));
    });
  });
}

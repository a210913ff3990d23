import { connect } from 'node:net';

/**
 * Whether the server with this process id takes commands on the port. The process id is compared because between the
 * search for a free port and the start another program's server may have taken it. A server that wants a password
 * first counts as ready.
 */
export async function redisReady(port: number, pid: number): Promise<boolean> {
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
    socket.once('connect', () => socket.write('INFO server\r\nPING\r\n'));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (answer.includes('+PONG\r\n')) end(answer.includes(`\r\nprocess_id:${pid}\r\n`));
      else if (answer.includes('-NOAUTH')) end(true);
      else if (answer.includes('-LOADING')) end(false);
    });
  });
}

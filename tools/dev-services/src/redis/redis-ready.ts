import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** The server to check. */
export interface RedisReadyRequest {
  readonly port: number;
  readonly pid: number;
  /** PEM of its certificate authority, if it uses TLS. */
  readonly ca?: string | undefined;
}

/**
 * Whether the server with this process id accepts commands on the port. The process id is compared because another program may
 * have taken the port between the search for a free one and the start. A server that requires a password counts as ready.
 */
export async function redisReady({ port, pid, ca }: RedisReadyRequest): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = '';
    const address = { port, host: '127.0.0.1' };
    const socket = ca ? connectSecurely({ ...address, ca }) : connect(address);
    const end = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.setEncoding('latin1');
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once(ca ? 'secureConnect' : 'connect', () => socket.write('INFO server\r\nPING\r\n'));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (answer.includes('+PONG\r\n')) end(answer.includes(`\r\nprocess_id:${pid}\r\n`));
      else if (answer.includes('-NOAUTH')) end(true);
      else if (answer.includes('-LOADING')) end(false);
    });
  });
}

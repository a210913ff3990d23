import { connect } from 'node:net';
import { connect as connectSecurely, type SecureContextOptions } from 'node:tls';

/** How to find out whether a server on a port of 127.0.0.1 is ready. */
export interface SocketQuestion {
  readonly port: number;
  /** Certificates, if the server uses TLS. */
  readonly tls?: SecureContextOptions | undefined;
  readonly question: string;
  /** Judges everything that has arrived; undefined: more is needed. */
  readonly judge: (answer: string) => boolean | undefined;
}

/** Asks one question. False if the socket fails, closes or stays silent for a second. */
export function askSocket({ port, tls, question, judge }: SocketQuestion): Promise<boolean> {
  const address = { port, host: '127.0.0.1' };
  const socket = tls ? connectSecurely({ ...address, ...tls }) : connect(address);
  return new Promise((resolve) => {
    let answer = '';
    const end = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.setEncoding('latin1');
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(question));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      const ready = judge(answer);
      if (ready !== undefined) end(ready);
    });
  });
}

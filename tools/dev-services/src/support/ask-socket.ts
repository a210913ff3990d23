import type { Socket } from 'node:net';

/** How to find out over a socket whether a server is ready. */
export interface SocketQuestion {
  /** Event of the socket after which it can be written to. */
  readonly connected: 'connect' | 'secureConnect';
  readonly question: string;
  /** Judges everything that has arrived; undefined: more is needed. */
  readonly judge: (answer: string) => boolean | undefined;
}

/** Asks one question. False if the socket fails, closes or stays silent for a second. */
export function askSocket(socket: Socket, { connected, question, judge }: SocketQuestion): Promise<boolean> {
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
    socket.once(connected, () => socket.write(question));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      const ready = judge(answer);
      if (ready !== undefined) end(ready);
    });
  });
}

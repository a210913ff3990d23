import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** Stands between a client and a Postgres server, and cuts a connection when the server answers what is named. */
export interface AnswerCutter {
  /** The database's address, through here. */
  readonly url: string;
  /** From now on: the connection over which `statement` is sent is cut as soon as the server has answered it. */
  cutAnswerTo(statement: string): void;
  close(): Promise<void>;
}

export async function startAnswerCutter(databaseUrl: string): Promise<AnswerCutter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: string | null = null;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let doomed = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (data) => {
      if (cut !== null && data.toString('latin1').includes(cut)) {
        doomed = true;
        cut = null;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (doomed) for (const socket of [client, upstream]) socket.destroy();
      else client.write(data);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cutAnswerTo: (statement) => {
      cut = statement;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

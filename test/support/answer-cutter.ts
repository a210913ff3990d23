import { TcpProxy } from '@detector-cluster/dev-services';

/** Stands between a client and a Postgres server, and cuts a connection when the server answers what is named. */
export interface AnswerCutter {
  /** The database's address, through here. */
  readonly url: string;
  /** From now on: the connection over which `statement` is sent is cut as soon as the server has answered it. */
  cutAnswerTo(statement: string): void;
  close(): Promise<void>;
}

export async function startAnswerCutter(databaseUrl: string): Promise<AnswerCutter> {
  let cut: string | null = null;
  const proxy = await TcpProxy.to(databaseUrl, (client, upstream) => {
    client.on('data', (data) => {
      if (cut === null || !data.toString('latin1').includes(cut)) return;
      cut = null;
      // The answer must not reach the client.
      upstream.removeAllListeners('data').once('data', () => client.destroy());
    });
  });
  return {
    url: proxy.through(databaseUrl).href,
    cutAnswerTo: (statement) => {
      cut = statement;
    },
    close: () => proxy.stop(),
  };
}

import { TcpProxy } from '@detector-cluster/dev-services';
import { sum } from '../../support/percentile.js';
import type { Framing } from './framings.js';

/** Counts the messages of one connection, for any division into chunks. */
export class FrameCounter {
  count = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly framing: Framing) {}

  read(chunk: Buffer): void {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    for (;;) {
      const frame = this.rest.length > 0 ? this.framing(this.rest) : undefined;
      if (!frame || frame.length > this.rest.length) return;
      this.rest = this.rest.subarray(frame.length);
      if (frame.counts) this.count++;
    }
  }
}

/** A proxy in front of a store that forwards everything and counts the clients' requests. */
export class CountingProxy {
  private readonly counters: FrameCounter[] = [];
  private proxy!: TcpProxy;
  /** URL of the store through this proxy. */
  url = '';

  /** @param url URL of the store, with its port */
  static async to(url: string, framing: Framing): Promise<CountingProxy> {
    const counting = new CountingProxy();
    counting.proxy = await TcpProxy.to(url, (client) => {
      const counter = new FrameCounter(framing);
      counting.counters.push(counter);
      client.on('data', (chunk) => counter.read(chunk));
    });
    const proxied = counting.proxy.through(url);
    // A replica set would make its clients bypass the proxy.
    if (url.startsWith('mongodb:')) proxied.searchParams.set('directConnection', 'true');
    counting.url = proxied.href;
    return counting;
  }

  /** Messages so far. */
  get count(): number {
    return sum(this.counters.map(({ count }) => count));
  }

  stop(): Promise<void> {
    return this.proxy.stop();
  }
}

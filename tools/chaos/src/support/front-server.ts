import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** A server in front of another one of this machine. */
export class FrontServer {
  private received = 0;

  /** @param serverPort of the other one */
  constructor(
    protected readonly server: Server,
    protected readonly serverPort: number,
  ) {
    server.on('connection', () => this.received++);
  }

  /** @param port default: a free one */
  async listen(port = 0, address = '127.0.0.1'): Promise<this> {
    this.server.listen(port, address);
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Attempts to connect so far. */
  get dials(): number {
    return this.received;
  }
}

import { freePort } from '@detector-cluster/dev-services';
import { NetworkLink } from './network-link.js';
import type { PrivateNames } from './private-names.js';

/** Addresses of this machine that are not its usual one. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

/** A server behind a name, which moves from one address to the next one. It keeps its port. */
export class MovingServer {
  private place = 0;

  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly links: readonly NetworkLink[],
    private readonly names: PrivateNames,
  ) {}

  /** @param serverPort of the server itself */
  static async start(names: PrivateNames, name: string, serverPort: number): Promise<MovingServer> {
    const port = await freePort();
    const links = await Promise.all(
      ADDRESSES.map((address) => new NetworkLink(serverPort).listen(port, address)),
    );
    const server = new MovingServer(name, port, links, names);
    await server.arrive();
    return server;
  }

  /** Name and port. */
  get host(): string {
    return `${this.name}:${this.port}`;
  }

  /** What leads to the server at its present address. */
  get link(): NetworkLink {
    return this.links[this.place]!;
  }

  /** From now on the name leads to the next address. */
  async move(): Promise<void> {
    this.place++;
    await this.arrive();
  }

  close(): void {
    for (const link of this.links) link.close();
  }

  private arrive(): Promise<void> {
    return this.names.set(this.name, ADDRESSES[this.place]!);
  }
}

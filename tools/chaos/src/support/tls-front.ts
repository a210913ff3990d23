import type { IssuedCertificate } from '@detector-cluster/dev-services';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';

const secrets = ({ certificate, key }: IssuedCertificate) => ({ cert: certificate, key });

/** Speaks TLS for a server of this machine that does not. Its certificate can be replaced while it runs. */
export class TlsFront {
  private readonly server;
  private readonly clients = new Set<TLSSocket>();
  private received = 0;

  constructor(serverPort: number, certificate: IssuedCertificate) {
    this.server = createServer({ ...secrets(certificate), noDelay: true });
    this.server.on('connection', () => this.received++);
    // Clients that refuse the certificate.
    this.server.on('tlsClientError', () => undefined);
    this.server.on('secureConnection', (client) => {
      const server = connect({ port: serverPort, host: '127.0.0.1', noDelay: true });
      this.clients.add(client);
      client.pipe(server).pipe(client);
      for (const [socket, other] of [
        [client, server],
        [server, client],
      ] as const)
        socket
          .on('error', () => undefined)
          .once('close', () => {
            other.destroy();
            this.clients.delete(client);
          });
    });
  }

  /** Listens on a free port. */
  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
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

  /** Open connections. */
  get open(): number {
    return this.clients.size;
  }

  /** The certificate of later connections. */
  use(certificate: IssuedCertificate): void {
    this.server.setSecureContext(secrets(certificate));
  }

  /** Ends every connection. */
  cut(): void {
    for (const client of this.clients) client.destroy();
  }

  close(): void {
    this.server.close();
    this.cut();
  }
}

import type { IssuedCertificate } from '@detector-cluster/dev-services';
import { connect } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { FrontServer } from './front-server.js';

const secrets = ({ certificate, key }: IssuedCertificate) => ({ cert: certificate, key });

/** Speaks TLS for a server of this machine that does not. Its certificate can be replaced while it runs. */
export class TlsFront extends FrontServer {
  declare protected readonly server: Server;
  private readonly clients = new Set<TLSSocket>();

  constructor(serverPort: number, certificate: IssuedCertificate) {
    super(createServer({ ...secrets(certificate), noDelay: true }), serverPort);
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

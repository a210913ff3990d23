import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens when a file is asked for: `held` answers after {@link ModelStore.release}, `cut` ends in the middle. */
export type Behaviour = 'good' | 'missing' | 'held' | 'cut' | 'redirect';

/** A store of model files, with addresses that carry a secret signature. */
export class ModelStore {
  private readonly behaviours = new Map<string, Behaviour>();
  private readonly requests = new Map<string, number>();
  private readonly waiting: ServerResponse[] = [];

  private constructor(
    private readonly server: Server,
    private readonly file: Buffer,
    private readonly secret: string,
  ) {}

  static async start(file: Buffer, secret: string): Promise<ModelStore> {
    const server = createServer((request, response) => {
      response.on('error', () => undefined);
      // A kept connection could be closed at the moment of its next use.
      response.setHeader('connection', 'close');
      store.answer(new URL(request.url!, 'http://store').pathname.slice(1), response);
    });
    const store = new ModelStore(server, file, secret);
    await once(server.listen(0), 'listening');
    return store;
  }

  /** Address of a file for the worker, another one at each call. */
  url(host: string, name: string, behaviour: Behaviour = 'good'): string {
    this.behaviours.set(name, behaviour);
    const { port } = this.server.address() as AddressInfo;
    return `http://${host}:${port}/${name}?signature=${this.secret}&at=${performance.now()}`;
  }

  /** How often a file was asked for. */
  requestsOf(name: string): number {
    return this.requests.get(name) ?? 0;
  }

  /** Answers all that wait. */
  release(): void {
    for (const response of this.waiting.splice(0)) response.writeHead(200).end(this.file);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(name: string, response: ServerResponse): void {
    this.requests.set(name, this.requestsOf(name) + 1);
    switch (this.behaviours.get(name)) {
      case 'good':
        response.writeHead(200, { 'content-length': this.file.length }).end(this.file);
        break;
      case 'held':
        this.waiting.push(response);
        break;
      case 'cut':
        response.writeHead(200, { 'content-length': this.file.length + 1 });
        response.write(this.file, () => response.destroy());
        break;
      case 'redirect':
        this.behaviours.set(`${name}-target`, 'good');
        response.writeHead(302, { location: `/${name}-target` }).end();
        break;
      default:
        response.writeHead(404).end();
    }
  }
}

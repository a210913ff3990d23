import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A store of files over HTTP. What it does not have is 404. */
export class FileServer {
  /** Path → how often it was asked for. */
  readonly requests = new Map<string, number>();
  readonly files = new Map<string, string>();
  /** Paths whose answers do not end before {@link release}. */
  readonly held = new Set<string>();
  private readonly waiting = new Map<string, (() => void)[]>();

  private constructor(private readonly server: Server) {}

  static async start(files: Readonly<Record<string, string>> = {}): Promise<FileServer> {
    const server = createServer((request, response) => {
      const path = new URL(request.url!, 'http://store').pathname;
      store.requests.set(path, (store.requests.get(path) ?? 0) + 1);
      const content = store.files.get(path);
      const answer = () => {
        if (content === undefined) response.writeHead(404).end();
        else response.writeHead(200).end(content);
      };
      if (store.held.has(path)) store.waiting.set(path, [...(store.waiting.get(path) ?? []), answer]);
      else answer();
    });
    const store = new FileServer(server);
    for (const [path, content] of Object.entries(files)) store.files.set(path, content);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  release(path: string): void {
    this.held.delete(path);
    for (const answer of this.waiting.get(path) ?? []) answer();
    this.waiting.delete(path);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Arguments of one line of MONITOR: quoted, with backslash escapes. */
const ARGUMENT = /"((?:[^"\\]|\\.)*)"/g;

/** How a line goes on that adds an entry: the message, which may be long, is not read beyond its first member, the id. */
const ADDED = /^\S+ \S+ \S+ "XADD" "([^"]+)" "NOMKSTREAM" "([^"]+)" "message" "\{\\"id\\":\\"([^"\\]+)\\"/i;

/**
 * Watches, from outside every process of the cluster, which detections Redis was given and which of them their owners have
 * dealt with: the ids of all entries that were added to a process's stream, and were acknowledged there. Speaks to the server itself, because on a busy one the client library mistakes the first
 * lines of MONITOR for replies. Slows the server down: for tests and demos.
 */
export class AcceptanceMonitor {
  /** In the order in which they came. */
  readonly accepted = new Set<string>();
  /** Callbacks have returned for them, in a process that may have ended since. */
  readonly acknowledged = new Set<string>();
  /** Stream and entry id → detection id. */
  private readonly entries = new Map<string, string>();
  private socket: Socket | undefined;

  constructor(
    private readonly redisUrl: string,
    private readonly keyPrefix = '',
  ) {}

  async start(): Promise<void> {
    const { hostname, port } = new URL(this.redisUrl);
    const socket = connect(Number(port || 6379), hostname);
    this.socket = socket;
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    socket.write('MONITOR\r\n');
    const [answer] = (await once(lines, 'line')) as [string];
    if (answer !== '+OK') throw new Error(`Redis does not let itself be watched: ${answer}`);
    lines.on('line', (line) => this.read(line));
  }

  stop(): void {
    this.socket?.destroy();
  }

  private read(line: string): void {
    const added = ADDED.exec(line);
    if (added !== null) {
      const [, stream, entry, id] = added;
      this.added(stream!, entry!, id!);
      return;
    }
    const args: string[] = [];
    for (const [, argument] of line.matchAll(ARGUMENT)) {
      args.push(argument!);
      if (args[0]!.toUpperCase() !== 'XACK') return;
    }
    const [, stream = '', ...rest] = args;
    this.settled(stream, rest);
  }

  private added(stream: string, entry: string, id: string): void {
    if (!this.isOfProcess(stream)) return;
    this.accepted.add(id);
    this.entries.set(`${stream} ${entry}`, id);
  }

  private settled(stream: string, [, ...entries]: string[]): void {
    if (!this.isOfProcess(stream)) return;
    for (const entry of entries) {
      const id = this.entries.get(`${stream} ${entry}`);
      if (id !== undefined) this.acknowledged.add(id);
    }
  }
  private isOfProcess(stream: string): boolean {
    return stream.startsWith(`${this.keyPrefix}worker:slave:`);
  }
}
